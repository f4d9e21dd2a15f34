import { UAParser } from 'ua-parser-js'

/** Returns what a User-Agent text says. */
export function parseUserAgent(text: string): UAParser.IResult {
  return new UAParser(text).getResult()
}

/** Does nothing: Node has loaded the parser with this file. */
export async function loadUserAgentParser(_texts: readonly string[]): Promise<void> {}
