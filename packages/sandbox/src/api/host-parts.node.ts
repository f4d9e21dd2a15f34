import { UAParser } from '#inlined/ua-parser-js'

export { camelCase } from '@sluice/core/camel-case'
export { piiEdits } from './modules/pii-edits.ts'
export { appleModelName } from './rudder/apple-models.ts'
export { decryptText, encryptText } from './rudder/encrypt-text.ts'

/** Returns what a User-Agent text says. */
export function parseUserAgent(text: string): UAParser.IResult {
  return new UAParser(text).getResult()
}

/** Does nothing: Node has loaded the calls with this file. */
export async function loadHostParts(_texts: readonly string[]): Promise<void> {}

/** Does nothing: Node has loaded `camelCase` with this file. */
export async function loadImportNames(): Promise<void> {}
