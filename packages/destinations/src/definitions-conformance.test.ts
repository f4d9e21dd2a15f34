import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { publicDefinition } from './kit/define/registry/public-definition.ts'

interface Listed {
  readonly type: string
  readonly displayName: string
  readonly defaultConfig: readonly string[]
  readonly secretKeys: readonly string[]
  /** null means every type. */
  readonly supportedMessageTypes: readonly string[] | null
}

const folder =
  process.env['SLUICE_CONFORMANCE'] ?? fileURLToPath(new URL('../../../../shared/conformance', import.meta.url))
const present = existsSync(`${folder}/definitions.json`)
if (!present) {
  process.stdout.write('definitions conformance skipped: no conformance data; set SLUICE_CONFORMANCE to its folder\n')
}

describe.skipIf(!present)('the public definition of a destination', () => {
  const all: Record<string, Listed> = present ? JSON.parse(readFileSync(`${folder}/definitions.json`, 'utf8')) : {}
  const listedOf = (type: string) => Object.values(all).find((each) => each.type === type)
  // RudderStack has no destinations for local use.
  for (const definition of builtInDestinations.filter(({ type }) => !present || listedOf(type))) {
    const published = publicDefinition(definition)
    const listed = listedOf(published.type)
    it(`of ${published.type} has everything that RudderStack publishes`, () => {
      expect({ displayName: published.displayName }).toMatchObject({ displayName: listed?.displayName })
      expect(published.defaultConfig).toEqual(listed?.defaultConfig)
      expect(published.secretKeys).toEqual(expect.arrayContaining([...(listed?.secretKeys ?? [])]))
      const types = listed?.supportedMessageTypes
      // Destinations that only delete users support no types.
      if (types && published.supportedMessageTypes.length > 0)
        expect(published.supportedMessageTypes).toEqual(expect.arrayContaining([...types]))
    })
  }
})
