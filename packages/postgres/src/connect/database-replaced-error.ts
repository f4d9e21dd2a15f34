/** Another server has taken the place of the database, and may lack what the one before had acknowledged. */
export class DatabaseReplacedError extends Error {
  override readonly name = 'DatabaseReplacedError'

  /** @param place server and database, without user and password. */
  constructor(place: string) {
    super(
      `another server has taken the place of the database ${place}; this process uses it once the regulations in it were compared with the ledger`,
    )
  }
}
