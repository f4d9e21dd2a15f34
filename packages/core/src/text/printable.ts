/** Replaces control characters, so that text from senders and destinations cannot control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\ufffd')
}

/** The same for text of several lines: keeps tabs and line ends. */
export function printableLines(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{C}/gu, '\ufffd')
}
