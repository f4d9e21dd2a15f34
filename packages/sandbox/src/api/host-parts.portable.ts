import { InvariantError, type JsonValue, type Random } from '@sluice/core'

/** What code may need of the host, by what loads it: a page that runs other code loads none of them. */
const loaders = {
  agents: () => import('#inlined/ua-parser-js'),
  edits: () => import('./modules/pii-edits.ts'),
  models: () => import('./rudder/apple-models.ts'),
  encryption: () => import('./rudder/encrypt-text.ts'),
  names: () => import('@sluice/core/camel-case'),
} as const

type Part = keyof typeof loaders
type Loaded = { [Name in Part]?: Awaited<ReturnType<(typeof loaders)[Name]>> }

const loaded: Loaded = {}

/** Words of code that needs a part: also of names that are written with escapes. */
const users: readonly (readonly [Part, RegExp])[] = [
  ['agents', /user-agent|userAgentParser|\\[ux]/],
  ['edits', /pii|\\[ux]/],
  ['models', /localizeAppleDeviceModel|\\[ux]/],
  ['encryption', /encrypt|\\[ux]/],
]

async function load<Name extends Part>(name: Name): Promise<void> {
  loaded[name] ??= (await loaders[name]()) as Loaded[Name]
}

function ready<Name extends Part>(name: Name): NonNullable<Loaded[Name]> {
  const found = loaded[name]
  if (found === undefined || found === null) throw new InvariantError(`the part ${name} of the host was not loaded`)
  return found as NonNullable<Loaded[Name]>
}

/** Loads the calls that code may make: together they are a fifth of the code that a page loads for the sandbox. */
export async function loadHostParts(texts: readonly string[]): Promise<void> {
  for (const [name, words] of users) if (texts.some((text) => words.test(text))) await load(name)
}

/** Loads what makes names of libraries, for code that has some. */
export function loadImportNames(): Promise<void> {
  return load('names')
}

/** Returns the name by which code imports a library. It must have been loaded. */
export function camelCase(name: string): string {
  return ready('names').camelCase(name)
}

/** Returns what a User-Agent text says. The call must have been loaded. */
export function parseUserAgent(text: string) {
  return new (ready('agents').UAParser)(text).getResult()
}

/** Returns the changes that mask personal data in a value; null when there are none. The call must have been loaded. */
export function piiEdits(value: JsonValue, options: JsonValue | undefined): JsonValue {
  return ready('edits').piiEdits(value, options)
}

/** Returns the name of a model of Apple's. The call must have been loaded. */
export function appleModelName(identifier: string): string {
  return ready('models').appleModelName(identifier)
}

/** Returns a text encrypted with a public key; false when it cannot be. The call must have been loaded. */
export function encryptText(key: string, text: string, random: Random): string | false {
  return ready('encryption').encryptText(key, text, random)
}

/** Returns a text decrypted with a private key; false when it cannot be. The call must have been loaded. */
export function decryptText(key: string, text: string): string | false {
  return ready('encryption').decryptText(key, text)
}
