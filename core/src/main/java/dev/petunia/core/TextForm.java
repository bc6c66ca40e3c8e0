package dev.petunia.core;

/**
 * What a text is to an embedding model: some models put an instruction or prefix before one form.
 */
public enum TextForm {
  /** Something a user asks. */
  QUERY,
  /** Something that may answer. */
  DOCUMENT
}
