/** What senders and destinations wrote must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\ufffd')
}

/** The same for text of several lines, where tabs and line ends are meant. */
export function printableLines(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{C}/gu, '\ufffd')
}
