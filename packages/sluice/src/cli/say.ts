/** Tells the person at the terminal; logs and progress go to standard error instead. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
