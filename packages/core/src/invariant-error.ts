/** A broken promise between our own parts. It is a bug: nothing catches it to go on. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError'
}
