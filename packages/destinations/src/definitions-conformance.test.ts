import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { publicDefinition } from './kit/define/public-definition.ts'

interface Listed {
  readonly type: string
  readonly displayName: string
  readonly defaultConfig: readonly string[]
  readonly secretKeys: readonly string[]
  /** null: every type. */
  readonly supportedMessageTypes: readonly string[] | null
}

const folder =
  process.env['SLUICE_CONFORMANCE'] ?? fileURLToPath(new URL('../../../../shared/conformance', import.meta.url))
const present = existsSync(`${folder}/definitions.json`)
if (!present) {
  process.stdout.write('definitions conformance skipped: no conformance data; set SLUICE_CONFORMANCE to its folder\n')
}

describe.skipIf(!present)('what is told about a destination', () => {
  const all: Record<string, Listed> = present ? JSON.parse(readFileSync(`${folder}/definitions.json`, 'utf8')) : {}
  const listedOf = (type: string) => Object.values(all).find((each) => each.type === type)
  // RudderStack has none of those that are for local use.
  for (const definition of builtInDestinations.filter(({ type }) => !present || listedOf(type))) {
    const told = publicDefinition(definition)
    const listed = listedOf(told.type)
    it(`of ${told.type} is what RudderStack tells, or more`, () => {
      expect({ displayName: told.displayName }).toMatchObject({ displayName: listed?.displayName })
      expect(told.defaultConfig).toEqual(listed?.defaultConfig)
      expect(told.secretKeys).toEqual(expect.arrayContaining([...(listed?.secretKeys ?? [])]))
      const types = listed?.supportedMessageTypes
      // One that takes no events yet says so.
      if (types && told.supportedMessageTypes.length > 0)
        expect(told.supportedMessageTypes).toEqual(expect.arrayContaining([...types]))
    })
  }
})
