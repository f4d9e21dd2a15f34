/** A write may be stored or not, and the store could not be asked. A caller that sends it again may have it stored twice. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError'

  constructor(cause: unknown) {
    super('the connection to the database ended during a write, which may be stored or not; it could not be asked', {
      cause,
    })
  }
}
