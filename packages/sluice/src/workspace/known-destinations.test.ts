import { gateNames, parseSettings, publicDefinition } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { nativeDestinations } from './known-destinations.ts'

describe('every type without a package, warehouses and sinks included', () => {
  for (const definition of nativeDestinations())
    it(`${definition.type} has consent and event lists, and refuses forms of them that cannot be read`, () => {
      const shown = Object(publicDefinition(definition).settings['properties'])
      expect(Object.keys(shown)).toEqual(expect.arrayContaining([...gateNames]))
      const parsed = parseSettings(definition, { consentManagement: '[]', whitelistedEvents: 'Seen' })
      const paths = parsed.ok ? [] : parsed.problems.map(({ path }) => path)
      expect(paths).toEqual(expect.arrayContaining(['consentManagement', 'whitelistedEvents']))
    })
})
