/** Prints a line to standard output. Logs and progress go to standard error instead. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}
