import { UAParser } from '#inlined/ua-parser-js'

export { piiEdits } from './pii-edits.ts'

/** Returns what a User-Agent text says. */
export function parseUserAgent(text: string): UAParser.IResult {
  return new UAParser(text).getResult()
}

/** Does nothing: Node has loaded the calls with this file. */
export async function loadLateCalls(_texts: readonly string[]): Promise<void> {}
