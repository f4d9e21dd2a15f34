/** What senders and destinations wrote must not steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '\ufffd')
}
