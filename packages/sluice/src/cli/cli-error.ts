/** Something the person at the terminal can mend; the message says how. */
export class CliError extends Error {
  override readonly name = 'CliError'
  /** What the command ends with; 1 unless the command has a meaning of its own for it. */
  readonly exitStatus: number

  constructor(message: string, exitStatus = 1) {
    super(message)
    this.exitStatus = exitStatus
  }
}
