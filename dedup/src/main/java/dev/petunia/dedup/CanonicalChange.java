package dev.petunia.dedup;

/**
 * A chunk that was canonical for a cluster of two or more and no longer is: two clusters became
 * one, or the chunk was removed or replaced.
 *
 * @param from the chunk that was canonical
 * @param to the chunk that now is, for some or all of the members
 */
public record CanonicalChange(String from, String to) {}
