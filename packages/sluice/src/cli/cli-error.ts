/** An error the user can fix; the message says how. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** Exit status of the command; default 1. */
  readonly exitStatus: number

  constructor(message: string, exitStatus = 1) {
    super(message)
    this.exitStatus = exitStatus
  }
}
