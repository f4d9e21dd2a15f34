/** An error the user can fix; the message says how. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** Exit status of the command; default 1. */
  readonly exitStatus: number

  /** @param options.cause the refusal of a server that this error reports, whose page is named below it. */
  constructor(message: string, exitStatus = 1, options?: ErrorOptions) {
    super(message, options)
    this.exitStatus = exitStatus
  }
}
