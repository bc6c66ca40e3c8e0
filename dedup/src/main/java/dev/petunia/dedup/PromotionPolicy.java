package dev.petunia.dedup;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides which members of a cluster a view leaves out. Nothing is deleted: another policy gives
 * another view.
 */
@FunctionalInterface
public interface PromotionPolicy {
  /** A token in fewer than this part of the distinct texts is a name of something. */
  double RARE = 0.001;

  /** So is one in at most this many of them, in an index of any size. */
  int RARE_TEXTS = 2;

  /**
   * Leaves out members that are similar to the canonical one themselves (J ≥ 0.9, not only through
   * others), unless they differ in a number, in a sign of comparison or calculation, or in a token
   * that is in fewer than 0.1 % of the distinct texts or in one or two of them: in templates those
   * are what a text is about (a version, a language, a licence). What a person said goes before all
   * that.
   */
  PromotionPolicy DEFAULT = PromotionPolicy::careful;

  /** Leaves out all members but the canonical one. */
  PromotionPolicy ONE_PER_CLUSTER = member -> Decision.suppress();

  /**
   * Decides about a member that is not the canonical one. It is asked while the index is read, so
   * it must not change the index; what it throws goes to whoever asked for the view or searched.
   *
   * @return not null
   */
  Decision decide(Candidate member);

  /**
   * A member to decide about.
   *
   * @param cluster its cluster
   * @param member the member
   * @param saidSame what a person said about the member and the canonical one: true for the same,
   *     false for different, empty for nothing
   * @param difference computes the differing tokens, first the canonical one's; empty when one of
   *     the texts is not known
   */
  record Candidate(
      Cluster cluster,
      Cluster.Member member,
      Optional<Boolean> saidSame,
      Supplier<Optional<Difference>> difference) {}

  /**
   * A decision.
   *
   * @param isSuppressed whether the view leaves it out
   * @param reason why it stays; empty when it does not
   */
  record Decision(boolean isSuppressed, String reason) {
    /** Left out. */
    public static Decision suppress() {
      return new Decision(true, "");
    }

    /** It stays, and this is why. */
    public static Decision keep(String reason) {
      return new Decision(false, reason);
    }
  }

  private static Decision careful(Candidate c) {
    if (c.saidSame().isPresent()) {
      return c.saidSame().get() ? Decision.suppress() : Decision.keep("judged different");
    }
    if (!c.member().isDirect()) {
      return Decision.keep("similar to other members only");
    }
    Optional<Difference> difference = c.difference().get();
    if (difference.isEmpty()) {
      return Decision.keep("text not known");
    }
    for (var side : List.of(difference.get().onlyInA(), difference.get().onlyInB())) {
      for (DifferingToken t : side) {
        if (t.hasDigit()) {
          return Decision.keep("differs in a number: " + t.token());
        }
        if (t.share() < RARE || t.texts() <= RARE_TEXTS) {
          return Decision.keep("differs in a rare token: " + t.token());
        }
      }
    }
    return difference.get().signs().isEmpty()
        ? Decision.suppress()
        : Decision.keep("differs in a sign: " + difference.get().signs().getFirst());
  }
}
