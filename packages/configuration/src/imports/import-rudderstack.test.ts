import type { JsonObject, JsonValue } from '@sluice/core'
import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { inOneForm } from '../definition/in-one-form.ts'
import { parseWorkspaces } from '../definition/parse-workspaces.ts'
import { WorkspaceFileError } from '../definition/problems/problem.ts'
import { importRudderStack } from './import-rudderstack.ts'

const registry = createDestinationRegistry(builtInDestinations)
const consents = [{ provider: 'oneTrust', consents: [{ consent: 'C1' }] }]

function destination(id: string, config: JsonObject, more: JsonObject = {}): JsonObject {
  const settings = { webhookUrl: `http://${id}.test`, ...config }
  return { id, name: `My ${id}`, destinationDefinition: { name: 'WEBHOOK' }, config: settings, ...more }
}

function source(id: string, type: string, destinations: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return { id, writeKey: `key-${id}`, sourceDefinition: { name: type }, destinations, ...more }
}

function imported(...sources: readonly JsonObject[]) {
  const { workspace, notes } = importRudderStack([{ sources }], registry)
  const { problems, workspaces } = parseWorkspaces(inOneForm(workspace), { destinations: registry, env: {} })
  expect(problems).toEqual([])
  const lines = notes.map(({ outcome, kind, name, text }) => `${outcome}: ${kind} ${name}: ${text}`)
  return { workspace, parsed: workspaces[0], lines }
}

/** What the same file says when it is served as it is. */
function served(...sources: readonly JsonObject[]) {
  try {
    const { problems, workspaces } = parseWorkspaces(inOneForm({ sources }), { destinations: registry, env: {} })
    return { problems: problems.map(({ path }) => path), workspace: workspaces[0] }
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error
    return { problems: error.problems.map(({ path }) => path), workspace: undefined }
  }
}

describe('gates of an export of RudderStack', () => {
  const forms: readonly JsonObject[] = [
    { consentManagement: consents },
    { consentManagement: { web: consents } },
    { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'C1' }] },
    { ketchConsentPurposes: { web: [{ purpose: 'p' }], android: [] } },
    { eventFilteringOption: 'whitelistedEvents', whitelistedEvents: [{ eventName: 'Seen' }], blacklistedEvents: [] },
  ]
  for (const form of forms)
    it(`are carried over as they are: ${JSON.stringify(form)}`, () => {
      const { parsed, lines } = imported(source('s', 'Javascript', [destination('d', form)]))
      expect(lines).toEqual([])
      expect(parsed?.destinations).toMatchObject([{ enabled: true, settings: form }])
      expect(served(source('s', 'Javascript', [destination('d', form)])).workspace?.destinations).toEqual([
        { ...parsed?.destinations[0] },
      ])
    })

  const unreadable: readonly (readonly [name: string, value: JsonValue, shown: string])[] = [
    ['consentManagement', '[{"provider":"oneTrust"}]', '"[{\\"provider\\":\\"oneTrust\\"}]"'],
    ['consentManagement', [{ provider: 'somebody', consents: [{ consent: 'a' }] }], 'a list'],
    ['oneTrustCookieCategories', { web: 'C1' }, 'an object'],
    ['eventFilteringOption', 'allow', '"allow"'],
  ]
  for (const [name, value, shown] of unreadable)
    it(`disable the destination where ${name} is ${JSON.stringify(value)}`, () => {
      const file = source('s', 'Javascript', [destination('d', { [name]: value })])
      const { parsed, lines } = imported(file)
      expect(parsed?.destinations).toMatchObject([{ enabled: false }])
      expect(parsed?.destinations[0]?.settings).not.toHaveProperty(name)
      expect(lines).toEqual([
        `disabled: destination My d: ${name} is ${shown}, a form that cannot be read; write ${name} into its settings, then enable it`,
      ])
      expect(served(file).problems).toEqual([expect.stringContaining(`workspaces[0].destinations[0].settings.${name}`)])
    })

  it('in settings that are no object disable the destination, and are refused when the file is served', () => {
    const file = source('s', 'Javascript', [
      { id: 'd', name: 'My d', destinationDefinition: { name: 'CONSOLE' }, config: '{}' },
    ])
    const { parsed, lines } = imported(file)
    expect(parsed?.destinations).toMatchObject([{ enabled: false }])
    expect(lines).toEqual([
      'disabled: destination My d: its settings are "{}", not an object; write them, then enable it',
    ])
    expect(served(file).problems).toEqual(['workspaces[0].destinations[0].settings'])
  })

  it('that sources of other kinds have differently become lists for each kind', () => {
    const { parsed, lines } = imported(
      source('w', 'Javascript', [destination('d', { consentManagement: consents })]),
      source('m', 'Android', [destination('d', { consentManagement: [] })]),
    )
    expect(lines).toEqual([])
    expect(parsed?.destinations).toMatchObject([{ settings: { consentManagement: { web: consents, android: [] } } }])
  })

  it('that settings cannot express disable the destination, and are refused when the file is served', () => {
    const sources = [
      source('a', 'Javascript', [destination('d', { consentManagement: consents })]),
      source('b', 'Javascript', [destination('d', {})]),
    ]
    const { parsed, lines } = imported(...sources)
    expect(parsed?.destinations).toMatchObject([{ enabled: false }])
    expect(lines).toEqual([expect.stringMatching(/^disabled: destination My d: consentManagement differs between/)])
    expect(served(...sources).problems).toEqual(['destination d: consentManagement'])
  })

  it('that the type does not have disable the destination when they say something', () => {
    const { parsed, lines } = imported(
      source('s', 'Javascript', [destination('d', { denyListOfEvents: ['Heartbeat'], piiPropertiesToIgnore: [] })]),
    )
    expect(parsed?.destinations).toMatchObject([{ enabled: false }])
    expect(lines).toEqual([
      'check: destination My d: settings left out, because WEBHOOK has no such setting here: denyListOfEvents',
      'disabled: destination My d: denyListOfEvents may keep events or data from it, and WEBHOOK has no such setting here',
    ])
  })
})

describe('what else keeps events from a destination', () => {
  const closed = { source: 's', destination: 'd', enabled: false }
  const open = { source: 's', destination: 'd' }
  const links: readonly (readonly [name: string, config: JsonObject, more: JsonObject, want: JsonObject])[] = [
    ['a connection that is off', {}, { isConnectionEnabled: false }, closed],
    ['a connection without processor', {}, { isProcessorEnabled: false }, closed],
    ['a connection that is on', {}, { isConnectionEnabled: true, isProcessorEnabled: true }, open],
    ['cloud mode for this kind of source', { connectionMode: { web: 'cloud', android: 'device' } }, {}, open],
    ['hybrid mode', { connectionMode: { web: 'hybrid' } }, {}, open],
  ]
  for (const [name, config, more, want] of links)
    it(`is carried over, and holds when the file is served: ${name}`, () => {
      const file = source('s', 'Javascript', [destination('d', config, more)])
      expect(imported(file).workspace['connections']).toEqual([want])
      expect(served(file).workspace?.connections).toHaveLength(want === open ? 1 : 0)
    })

  it('disables the connections of kinds of sources whose SDKs send themselves', () => {
    const config = { connectionMode: { web: 'device', android: 'cloud' } }
    const sources = [
      source('w', 'Javascript', [destination('d', config)]),
      source('m', 'Android', [destination('d', config)]),
      source('x', 'Something new', [destination('d', config)]),
    ]
    const { parsed, lines } = imported(...sources)
    expect(parsed?.connections).toEqual([{ sourceId: 'm', destinationId: 'd' }])
    expect(parsed?.destinations).toMatchObject([{ enabled: true }])
    expect(lines).toEqual([
      expect.stringMatching(/^disabled: connection w → My d: device mode/),
      expect.stringMatching(/^disabled: connection x → My d: device mode/),
    ])
    expect(served(...sources).workspace?.connections).toEqual(parsed?.connections)
  })

  it('disables a connection with settings of its own, which nothing here knows', () => {
    const { workspace, notes } = importRudderStack(
      [
        { sources: [{ id: 's', type: 'Javascript', writeKey: 'k' }] },
        { destinations: [{ id: 'd', type: 'WEBHOOK', config: { webhookUrl: 'http://d.test' } }] },
        { connections: { c: { sourceId: 's', destinationId: 'd', config: { consentManagement: consents } } } },
      ],
      registry,
    )
    expect(workspace['connections']).toEqual([closed])
    expect(notes).toMatchObject([{ outcome: 'disabled', kind: 'connection', name: 's → d' }])
  })

  it('reads an export with many destinations in a time that grows with its size only', () => {
    const many = Array.from({ length: 5_000 }, (_, i) => destination(`d${i}`, {}))
    expect(() => importRudderStack([{ sources: [source('s', 'Javascript', many)] }], registry)).toCostAtMost(3_000)
  })

  it('leaves out what is deleted, and keeps a source off that is off', () => {
    const sources = [
      source('s', 'Javascript', [destination('d', {}, { deleted: true })], { enabled: false }),
      source('gone', 'Javascript', [destination('e', {})], { deleted: true }),
    ]
    for (const workspace of [imported(...sources).parsed, served(...sources).workspace]) {
      expect(workspace?.sources).toMatchObject([{ id: 's', enabled: false }])
      expect([workspace?.destinations, workspace?.connections]).toEqual([[], []])
    }
  })

  const plans: readonly (readonly [config: JsonValue, drops: boolean])[] = [
    [{ global: { allowUnplannedEvents: 'true', unplannedProperties: 'forward' } }, false],
    [{ track: { allowUnplannedEvents: 'false' } }, true],
    [{ identify: { unplannedProperties: 'drop' } }, true],
    [{ anyOtherViolation: 'drop' }, true],
    ['drop', true],
  ]
  for (const [config, drops] of plans)
    it(`${drops ? 'disables' : 'keeps'} a source whose tracking plan has ${JSON.stringify(config)}`, () => {
      for (const link of [
        { dgSourceTrackingPlanConfig: { trackingPlan: { id: 'tp' }, config } },
        { trackingPlan: { id: 'tp', config } },
      ]) {
        const file = source('s', 'Javascript', [destination('d', {})], link)
        const { parsed, lines } = imported(file)
        expect(parsed?.sources).toMatchObject([{ enabled: !drops }])
        expect(lines.some((line) => line.startsWith('disabled: source s: its tracking plan drops'))).toBe(drops)
        expect(served(file).problems).toHaveLength(drops ? 1 : 0)
      }
    })
})
