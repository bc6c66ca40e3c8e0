package dev.petunia.dedup;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * XXH3 with 64 bits, seed 0 and the default secret, as in the xxHash specification (Collet, xxHash
 * 0.8, doc/xxhash_spec.md). The output of that version is frozen, which is why it is used: a token
 * has the same hash on every machine and in every release.
 *
 * <p>Most tokens have 1 to 16 bytes, so those two paths are the ones that matter for speed.
 */
final class Xxh3 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final byte[] SECRET =
      HexFormat.of()
          .parseHex(
              "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
                  + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
                  + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
                  + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
                  + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
                  + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

  private static final long PRIME32_1 = 0x9E3779B1L;
  private static final long PRIME32_2 = 0x85EBCA77L;
  private static final long PRIME32_3 = 0xC2B2AE3DL;
  private static final long PRIME64_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME64_3 = 0x165667B19E3779F9L;
  private static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME64_5 = 0x27D4EB2F165667C5L;
  private static final long PRIME_MX1 = 0x165667919E3779F9L;
  private static final long PRIME_MX2 = 0x9FB21C651E98DF25L;

  private static final long FLIP_1_3 = secret32(0) ^ secret32(4);
  private static final long FLIP_4_8 = secret(8) ^ secret(16);
  private static final long FLIP_9_LOW = secret(24) ^ secret(32);
  private static final long FLIP_9_HIGH = secret(40) ^ secret(48);
  private static final long EMPTY = avalanche64(secret(56) ^ secret(64));

  private static final int STRIPE = 64;
  private static final int STRIPES_IN_BLOCK = (192 - STRIPE) / 8;
  private static final int BLOCK = STRIPE * STRIPES_IN_BLOCK;

  private Xxh3() {}

  private static long secret(int at) {
    return (long) LONG.get(SECRET, at);
  }

  private static long secret32(int at) {
    return (int) INT.get(SECRET, at) & 0xFFFFFFFFL;
  }

  /** The hash of {@code length} bytes from {@code from} on. */
  static long hash(byte[] b, int from, int length) {
    if (length <= 16) {
      if (length > 8) {
        return nineToSixteen(b, from, length);
      }
      return length >= 4
          ? fourToEight(b, from, length)
          : length > 0 ? oneToThree(b, from, length) : EMPTY;
    }
    return length <= 128
        ? upTo128(b, from, length)
        : length <= 240 ? upTo240(b, from, length) : longer(b, from, length);
  }

  private static long oneToThree(byte[] b, int from, int n) {
    long combined =
        (b[from] & 0xFFL) << 16
            | (b[from + (n >> 1)] & 0xFFL) << 24
            | (b[from + n - 1] & 0xFFL)
            | (long) n << 8;
    return avalanche64(combined ^ FLIP_1_3);
  }

  private static long fourToEight(byte[] b, int from, int n) {
    long first = (int) INT.get(b, from) & 0xFFFFFFFFL;
    long last = (int) INT.get(b, from + n - 4) & 0xFFFFFFFFL;
    long x = (last + (first << 32)) ^ FLIP_4_8;
    x ^= Long.rotateLeft(x, 49) ^ Long.rotateLeft(x, 24);
    x *= PRIME_MX2;
    x ^= (x >>> 35) + n;
    x *= PRIME_MX2;
    return x ^ x >>> 28;
  }

  private static long nineToSixteen(byte[] b, int from, int n) {
    long low = (long) LONG.get(b, from) ^ FLIP_9_LOW;
    long high = (long) LONG.get(b, from + n - 8) ^ FLIP_9_HIGH;
    return avalanche(n + Long.reverseBytes(low) + high + fold(low, high));
  }

  private static long upTo128(byte[] b, int from, int n) {
    long acc = n * PRIME64_1;
    for (int i = (n - 1) / 32; i >= 0; i--) {
      acc += mix(b, from + 16 * i, 32 * i);
      acc += mix(b, from + n - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(acc);
  }

  private static long upTo240(byte[] b, int from, int n) {
    long acc = n * PRIME64_1;
    for (int i = 0; i < 8; i++) {
      acc += mix(b, from + 16 * i, 16 * i);
    }
    acc = avalanche(acc);
    for (int i = 8; i < n / 16; i++) {
      acc += mix(b, from + 16 * i, 16 * (i - 8) + 3);
    }
    return avalanche(acc + mix(b, from + n - 16, 136 - 17));
  }

  private static long longer(byte[] b, int from, int n) {
    long[] acc = {
      PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1
    };
    int blocks = (n - 1) / BLOCK;
    for (int block = 0; block < blocks; block++) {
      int at = from + block * BLOCK;
      for (int s = 0; s < STRIPES_IN_BLOCK; s++) {
        accumulate(acc, b, at + s * STRIPE, 8 * s);
      }
      for (int i = 0; i < 8; i++) {
        acc[i] = (acc[i] ^ acc[i] >>> 47 ^ secret(192 - STRIPE + 8 * i)) * PRIME32_1;
      }
    }
    int at = from + blocks * BLOCK;
    int stripes = (n - 1 - blocks * BLOCK) / STRIPE;
    for (int s = 0; s < stripes; s++) {
      accumulate(acc, b, at + s * STRIPE, 8 * s);
    }
    accumulate(acc, b, from + n - STRIPE, 192 - STRIPE - 7);
    long result = n * PRIME64_1;
    for (int i = 0; i < 4; i++) {
      result += fold(acc[2 * i] ^ secret(11 + 16 * i), acc[2 * i + 1] ^ secret(11 + 16 * i + 8));
    }
    return avalanche(result);
  }

  private static void accumulate(long[] acc, byte[] b, int at, int secretAt) {
    for (int i = 0; i < 8; i++) {
      long data = (long) LONG.get(b, at + 8 * i);
      long key = data ^ secret(secretAt + 8 * i);
      acc[i ^ 1] += data;
      acc[i] += (key & 0xFFFFFFFFL) * (key >>> 32);
    }
  }

  private static long mix(byte[] b, int at, int secretAt) {
    return fold(
        (long) LONG.get(b, at) ^ secret(secretAt),
        (long) LONG.get(b, at + 8) ^ secret(secretAt + 8));
  }

  /** Both halves of the 128-bit product, combined. */
  private static long fold(long x, long y) {
    return x * y ^ Math.unsignedMultiplyHigh(x, y);
  }

  private static long avalanche(long h) {
    long x = (h ^ h >>> 37) * PRIME_MX1;
    return x ^ x >>> 32;
  }

  private static long avalanche64(long h) {
    long x = (h ^ h >>> 33) * PRIME64_2;
    x = (x ^ x >>> 29) * PRIME64_3;
    return x ^ x >>> 32;
  }
}
