import { InvariantError } from '@sluice/core'
import type { UAParser } from 'ua-parser-js'

let parser: typeof UAParser | undefined

/** Names of the module in code: also one that is written with escapes. */
const usesIt = /user-agent|\\[ux]/

/** Returns what a User-Agent text says. The parser must have been loaded. */
export function parseUserAgent(text: string): UAParser.IResult {
  if (parser === undefined) throw new InvariantError('the parser of user agents was not loaded')
  return new parser(text).getResult()
}

/** Loads the parser if code may import it: it is a tenth of all that a page loads for the sandbox. */
export async function loadUserAgentParser(texts: readonly string[]): Promise<void> {
  if (parser !== undefined || !texts.some((text) => usesIt.test(text))) return
  parser = (await import('ua-parser-js')).UAParser
}
