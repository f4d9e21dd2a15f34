/** Another process has taken the store, because this one did not beat for a lease. Nothing can be written any more. */
export class StoreLostError extends Error {
  override readonly name = 'StoreLostError'

  /** @param place server and database. */
  constructor(place: string) {
    super(
      `another process has taken the store at ${place}, because this one was silent for too long: restart this process`,
    )
  }
}
