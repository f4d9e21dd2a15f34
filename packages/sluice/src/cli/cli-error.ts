/** Something the person at the terminal can mend; the message says how. */
export class CliError extends Error {
  override readonly name = 'CliError'
}
