import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { importSegment } from './import-segment.ts'

const source = { id: 'sid', name: 'Web', enabled: true, writeKeys: ['k'], metadata: { slug: 'javascript' } }
const destination = {
  id: 'amp',
  name: 'Amplitude',
  enabled: true,
  sourceId: 'sid',
  metadata: { id: 'meta', slug: 'amplitude' },
  settings: { apiKey: 'a' },
}

/** Returns whether source and destination are on after an import, and the notes about them. */
function imported(lists: JsonObject, more: { readonly source?: object; readonly destination?: object } = {}) {
  const { workspace, notes } = importSegment([
    { sources: [{ ...source, ...more.source }], destinations: [{ ...destination, ...more.destination }], ...lists },
  ])
  const isOn = (list: string): boolean => (workspace[list] as readonly JsonObject[])[0]?.['enabled'] !== false
  const disabled = notes.filter(({ outcome }) => outcome === 'disabled').map(({ kind, text }) => `${kind}: ${text}`)
  return { on: { source: isOn('sources'), destination: isOn('destinations') }, disabled }
}

describe('what keeps events from a destination of Segment', () => {
  const guards: readonly (readonly [string, JsonObject, RegExp])[] = [
    ['a filter of it', { filters: [{ id: 'f', destinationId: 'amp', enabled: true }] }, /a filter drops or changes/],
    ['a filter in Terraform’s words', { destinationFilters: [{ id: 'f', destinationId: 'amp' }] }, /a filter drops/],
    ['a filter that names no destination', { filters: [{ id: 'f' }] }, /a filter drops/],
    ['an insert function', { insertFunctionInstances: [{ id: 'i', integrationId: 'amp' }] }, /an insert function/],
    [
      'a transformation',
      { transformations: [{ id: 't', sourceId: 'sid', destinationMetadataId: 'meta' }] },
      /a transformation changes/,
    ],
  ]
  for (const [name, lists, text] of guards)
    it(`disables it, and says why: ${name}`, () =>
      expect(imported(lists)).toEqual({
        on: { source: true, destination: false },
        disabled: [expect.stringMatching(text)],
      }))

  const others: readonly JsonObject[] = [
    { filters: [{ id: 'f', destinationId: 'other' }] },
    { filters: [{ id: 'f', destinationId: 'amp', enabled: false }] },
    { insertFunctionInstances: [{ id: 'i', integrationId: 'other' }] },
    { transformations: [{ id: 't', sourceId: 'sid', destinationMetadataId: 'other' }] },
  ]
  for (const lists of others)
    it(`leaves it on where it does not apply: ${JSON.stringify(lists)}`, () =>
      expect(imported(lists)).toEqual({ on: { source: true, destination: true }, disabled: [] }))

  it('disables a destination that needs consent', () => {
    const settings = { ...destination.settings, consentSettings: { categories: ['ads'] } }
    expect(imported({}, { destination: { settings } })).toEqual({
      on: { source: true, destination: false },
      disabled: [expect.stringMatching(/^destination: it needs the consent of users/)],
    })
  })

  for (const schemaSettings of [
    { track: { allowUnplannedEvents: false } },
    { track: { commonEventOnViolations: 'BLOCK' } },
    { identify: { commonEventOnViolations: 'OMIT_TRAITS' } },
  ])
    it(`disables a source whose schema settings block something: ${JSON.stringify(schemaSettings)}`, () => {
      const blocked = {
        on: { source: false, destination: true },
        disabled: [expect.stringMatching(/^source: its schema settings block/)],
      }
      expect(imported({}, { source: { schemaSettings } })).toEqual(blocked)
      expect(imported({ sourceTrackingPlanConnections: [{ sourceId: 'sid', schemaSettings }] })).toEqual(blocked)
      expect(imported({ sourceTrackingPlanConnections: [{ sourceId: 'other', schemaSettings }] }).disabled).toEqual([])
    })
})
