package dev.petunia.hnsw;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/** A file of a {@link FaultyFileSystem}. A write that fails has written half of its bytes. */
final class FaultyChannel extends FileChannel {
  private final FaultyFileSystem system;
  private final Path file;
  private final FileChannel to;

  FaultyChannel(FaultyFileSystem system, Path file, FileChannel to) {
    this.system = system;
    this.file = file;
    this.to = to;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int written = write(source, to.position());
    to.position(to.position() + written);
    return written;
  }

  private static ByteBuffer half(ByteBuffer source) {
    return source.slice(source.position(), source.remaining() / 2);
  }

  private void put(ByteBuffer source, long position) throws IOException {
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    for (ByteBuffer b = ByteBuffer.wrap(bytes); b.hasRemaining(); ) {
      to.write(b, position + b.position());
    }
    system.changed(new FaultyFileSystem.Change("write", file, file, position, bytes));
  }

  @Override
  public void force(boolean metaData) throws IOException {
    system.check("force", file);
    to.force(metaData);
    system.changed(new FaultyFileSystem.Change("force", file));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int n = read(target, to.position());
    to.position(to.position() + Math.max(0, n));
    return n;
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return to.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return to.tryLock(position, size, shared);
  }

  @Override
  public long position() throws IOException {
    return to.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    to.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return to.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    to.close();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    system.check("read", file);
    int part = system.part("read", file, target.remaining());
    int n = to.read(target.slice(target.position(), part), position);
    target.position(target.position() + Math.max(0, n));
    system.wasRead(file, Math.max(0, n));
    return n;
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    try {
      system.check("write", file);
    } catch (IOException e) {
      put(half(source), position);
      throw e;
    }
    int n = system.part("write", file, source.remaining());
    put(source.slice(source.position(), n), position);
    source.position(source.position() + n);
    return n;
  }

  @Override
  public FileChannel truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
    if (!system.maps) {
      throw new UnsupportedOperationException();
    }
    system.check("map", file);
    return to.map(mode, offset, size, arena);
  }
}
