import { InvariantError, type JsonValue } from '@sluice/core'
import type { UAParser } from '#inlined/ua-parser-js'

let parser: typeof UAParser | undefined
let edits: typeof import('./pii-edits.ts') | undefined

/** Names of the modules in code: also those that are written with escapes. */
const usesAgents = /user-agent|userAgentParser|\\[ux]/
const usesPii = /pii|\\[ux]/

/** Returns what a User-Agent text says. The call must have been loaded. */
export function parseUserAgent(text: string): UAParser.IResult {
  if (parser === undefined) throw new InvariantError('the parser of user agents was not loaded')
  return new parser(text).getResult()
}

/** Returns the changes that mask personal data in a value; null when there are none. The call must have been loaded. */
export function piiEdits(value: JsonValue, options: JsonValue | undefined): JsonValue {
  if (edits === undefined) throw new InvariantError('the masking of personal data was not loaded')
  return edits.piiEdits(value, options)
}

/** Loads the calls that code may make: they are a fifth of the code that a page loads for the sandbox. */
export async function loadLateCalls(texts: readonly string[]): Promise<void> {
  const uses = (name: RegExp): boolean => texts.some((text) => name.test(text))
  if (parser === undefined && uses(usesAgents)) parser = (await import('#inlined/ua-parser-js')).UAParser
  if (edits === undefined && uses(usesPii)) edits = await import('./pii-edits.ts')
}
