/** Always throws: mapping needs no signature, and only Node, which sends requests, signs. */
export function signRs256(_text: string, _privateKey: string): string {
  throw new Error('only Node signs in with the key of a service account')
}
