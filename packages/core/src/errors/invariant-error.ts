/** A violated invariant, which is always a bug. No code catches it to continue. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
