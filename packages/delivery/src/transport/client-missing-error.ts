/** The package of a client is not installed. Requests are tried again, so they are sent once it is. */
export class ClientMissingError extends Error {
  override readonly name = 'ClientMissingError'
  readonly code = 'ERR_CLIENT_MISSING'

  constructor(client: string) {
    super(`The destination needs the package ${client} beside Sluice: npm install ${client}, then restart.`)
  }
}
