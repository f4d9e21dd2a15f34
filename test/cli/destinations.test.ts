import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { plainDefinition, type SmallPeer, writeSmallPeer } from '../support/faults/small-peer.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

/** A product that is reached by a client of its own, without presets and without a check. */
const ownQueue = `
const net = require("net")
exports.default = {
  name: 'Own Queue', mode: 'cloud', authentication: { scheme: 'custom', fields: {} }, presets: [],
  actions: { send: { title: 'Send', description: 'Sends an event.', fields: {}, perform: () => net.connect } },
}
`

const withSegment = ['--destination-package', '@sluice/segment-actions']

let peer: SmallPeer
let cwd: string
beforeAll(() => {
  peer = writeSmallPeer({ plain: plainDefinition, 'own-queue': ownQueue })
  cwd = peer.folder
  mkdirSync(join(cwd, 'node_modules/@sluice'))
  symlinkSync(
    join(import.meta.dirname, '../../packages/segment-actions'),
    join(cwd, 'node_modules/@sluice/segment-actions'),
  )
})
afterAll(() => peer.remove())

const run = (...args: readonly string[]) => runHosted(['destination-types', ...args], { cwd })
const check = (...args: readonly string[]) => runHosted(['destinations', 'check', ...args], { cwd })

describe('sluice destination-types list', () => {
  it('lists the built-in types without any flags', async () => {
    const { status, stdout, stderr } = await runCommand(['destination-types', 'list'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toMatch(/^type +kind +name +deletes users +batches +actions +presets\n/)
    expect(stdout).toMatch(/^AM +native +Amplitude +yes +yes$/m)
    expect(stderr).toMatch(/^(\d+) of \1 types$/m)
  })

  it("adds Segment's definitions of a package, with their actions and presets", async () => {
    const { stdout } = await run('list', '--kind', 'segment', '--json', ...withSegment)
    const shared = { kind: 'segment', actions: 1, batches: false }
    expect(JSON.parse(stdout)).toEqual([
      {
        type: 'segment/own-queue',
        displayName: 'Own Queue',
        ...shared,
        presets: 0,
        deletesUsers: false,
        checksCredentials: false,
        hasOwnNetwork: true,
      },
      {
        type: 'segment/plain',
        displayName: 'Plain',
        ...shared,
        presets: 1,
        deletesUsers: true,
        checksCredentials: true,
        hasOwnNetwork: false,
      },
    ])
  })

  it('finds types by all given words', async () => {
    const { stdout, stderr } = await run('list', 'PLAIN', 'seg', ...withSegment)
    expect(stdout).toMatch(/^segment\/plain +segment +Plain +yes +1 +1$/m)
    expect(stderr).toMatch(/^1 of \d+ types$/m)
  })

  it('knows the packages of a workspace file, and the types of your own modules', async () => {
    writeFileSync(
      join(cwd, 'mine.mjs'),
      `export default { type: 'MINE', displayName: 'Mine', supports: ['track'], secrets: [], examples: [],
        settings: { type: 'object', properties: {} }, requests: () => [] }`,
    )
    writeWorkspace([], ['./mine.mjs', '@sluice/segment-actions'])
    const { stdout } = await run('list', '--json', '--workspace', 'workspace.json')
    const kinds = Object.fromEntries(
      JSON.parse(stdout).map((each: { type: string; kind: string }) => [each.type, each.kind]),
    )
    expect(kinds).toMatchObject({ WEBHOOK: 'native', MINE: 'own', 'segment/plain': 'segment' })
  })

  it('names a package that cannot be loaded', async () => {
    const { status, stderr } = await run('list', '--destination-package', './gone.mjs')
    expect([status, stderr]).toEqual([1, expect.stringMatching(/--destination-package: got "\.\/gone\.mjs"; allowed/)])
  })
})

/** What is shown of the settings that every type has. */
const gates = `Consent and event lists, as every type has them
  consentManagement                                  array | object                                             Consents that the destination needs, by provider. Events of users who denied one are dropped. One list, or one for each kind of source.
  consentManagement[].provider                       oneTrust | ketch | iubenda | custom              required  The provider whose ids events carry.
  consentManagement[].consents                       array                                            required  Ids of the consents that the destination needs.
  consentManagement[].consents[].consent             string                                           required  Id of a consent, as the provider has it.
  consentManagement[].resolutionStrategy             and | or | ""                                              For the provider custom: all consents, unless or. For others, the event says it.
  oneTrustCookieCategories                           array | object                                             Older form of consentManagement: categories of OneTrust. All are needed. One list, or one for each kind of source.
  oneTrustCookieCategories[].oneTrustCookieCategory  string                                           required  Id of a category.
  ketchConsentPurposes                               array | object                                             Older form of consentManagement: purposes of Ketch. One is enough. One list, or one for each kind of source.
  ketchConsentPurposes[].purpose                     string                                           required  Id of a purpose.
  eventFilteringOption                               disable | whitelistedEvents | blacklistedEvents            The list that applies; neither when disable or absent.
  whitelistedEvents                                  array                                                      The only track events to accept, with eventFilteringOption whitelistedEvents.
  whitelistedEvents[].eventName                      string                                           required  Name of a track event.
  blacklistedEvents                                  array                                                      Track events to drop, with eventFilteringOption blacklistedEvents.
  blacklistedEvents[].eventName                      string                                           required  Name of a track event.
`

describe('sluice destination-types show', () => {
  it('shows settings, presets and actions of a type', async () => {
    const { stdout } = await run('show', 'Segment/Plain', ...withSegment)
    expect(stdout).toBe(`segment/plain  Plain
  kind: segment, from @segment/action-destinations 0.0.1
  message types: identify, track, page, screen, group, alias
  deletes users: yes
  sends events together: no
  checks credentials: yes

Settings
  url                        string         required          Address: Where events go.
  key                        string         required, secret  Key: Secret key.
  subscriptions              array                            Which action runs for which events. Default: the automatic presets of the definition.
  subscriptions[].action     send           required          Name of the action.
  subscriptions[].subscribe  string                           Condition in FQL, such as type = "track". Default: that of the preset or the action.
  subscriptions[].mapping    object                           Members of the payload; they replace those of the preset, or the defaults of the fields.
  subscriptions[].preset     string | null                    Name of the preset to start from; null: the defaults of the fields.
  subscriptions[].enabled    boolean        default true      Whether the subscription is used.
  subscriptions[].batch      boolean                          Whether events are sent together. Default: enable_batching of the mapping.

${gates}
Presets that apply without the setting subscriptions
  Track  action send  type = "track"

Action send: Send
  Sends an event.
  default condition: type = "track"
  name  string  default {"@path":"$.event"}   Name of the event.
  user  string  default {"@path":"$.userId"}  Id of the user.
`)
  })

  it('says that a type opens connections of its own, and needs subscriptions', async () => {
    const { stdout } = await run('show', 'segment/own-queue', ...withSegment)
    expect(stdout).toContain('own network: yes; checks of addresses')
    expect(stdout).toContain('the setting subscriptions is required')
    expect(stdout).toMatch(/allowOwnNetwork +boolean +default false/)
  })

  it('prints the public definition as JSON', async () => {
    const { stdout } = await run('show', 'segment/plain', '--json', ...withSegment)
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'segment',
      origin: '@segment/action-destinations 0.0.1',
      type: 'segment/plain',
      secretKeys: ['key'],
      presets: [{ name: 'Track', action: 'send', isAutomatic: true }],
    })
  })

  it('suggests similar types for an unknown one', async () => {
    const { status, stderr } = await run('show', 'plainer', ...withSegment)
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^sluice: plainer: unknown destination type; allowed: /),
    ])
    expect(stderr).toContain('segment/plain')
  })
})

function writeWorkspace(destinations: readonly object[], packages = ['@sluice/segment-actions']): void {
  const workspace = {
    destinationPackages: packages,
    id: 'shop',
    sources: [{ id: 'web', writeKey: 'web-key' }],
    destinations,
    connections: [],
  }
  writeFileSync(join(cwd, 'workspace.json'), JSON.stringify(workspace))
}

describe('sluice destinations check', () => {
  let receiver: Receiver
  let status: (key: string) => number
  beforeEach(async () => {
    status = () => 200
    receiver = await startReceiver(({ headers }) => status(String(headers['x-key'])))
    const crm = (id: string, key: string) => ({
      id,
      type: 'segment/plain',
      settings: { url: receiver.url, key },
    })
    const hook = { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: receiver.url } }
    writeWorkspace([crm('good', 'key-good'), crm('bad', 'key-bad'), hook])
  })
  afterEach(() => receiver.close())

  const local = ['--workspace', 'workspace.json', '--allow-address', 'localhost']

  it('succeeds when all credentials are valid, with one harmless request each', async () => {
    const checked = await check(...local)
    expect([checked.status, checked.stdout]).toEqual([0, expect.stringMatching(/^shop +good +segment\/plain +valid$/m)])
    expect(checked.stdout).toMatch(/^shop +hook +WEBHOOK +none +credentials of this type cannot be checked/m)
    expect(checked.stderr).toContain('3 of 3 checked')
    expect(receiver.received.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /me', 'GET /me'])
  })

  it('fails when one is invalid, and shows no secret', async () => {
    status = (key) => (key === 'key-bad' ? 401 : 200)
    const checked = await check('--json', ...local)
    expect(checked.status).toBe(1)
    expect(JSON.parse(checked.stdout)).toMatchObject([
      { destinationId: 'good', result: 'valid' },
      { destinationId: 'bad', result: 'invalid', reason: expect.stringContaining('It answered 401.') },
      { destinationId: 'hook', result: 'none' },
    ])
    expect(checked.stdout + checked.stderr).not.toContain('key-bad')
  })

  it('fails when a product does not answer, which decides nothing', async () => {
    status = () => 503
    const checked = await check('--id', 'good', ...local)
    expect([checked.status, checked.stdout]).toEqual([1, expect.stringMatching(/^shop +good .* undecided /m)])
  })

  it('reaches only public addresses unless others are allowed', async () => {
    const checked = await check('--id', 'good', '--workspace', 'workspace.json')
    expect([checked.status, receiver.received]).toEqual([1, []])
  })

  it('names the destinations there are when an id is unknown', async () => {
    const checked = await check('--id', 'gone', ...local)
    expect([checked.status, checked.stderr]).toEqual([1, expect.stringContaining('allowed: good, bad, hook')])
  })
})

describe('sluice serve', () => {
  let served: RunningCommand | undefined
  afterEach(() => served?.child.kill('SIGKILL'))

  it('says at the start whose code runs, and which destinations have connections of their own', async () => {
    const queue = { allowOwnNetwork: true, subscriptions: [{ action: 'send', subscribe: 'type = "track"' }] }
    writeWorkspace([
      { id: 'crm', type: 'segment/plain', settings: { url: 'https://crm.test', key: 'k-123' } },
      { id: 'queue', type: 'segment/own-queue', settings: queue },
    ])
    served = startCommand(['serve', '--workspace', 'workspace.json', '--port', '0'], { cwd })
    await served.printed(/Serving on/)
    served.child.kill('SIGTERM')
    const { stderr } = await served.ended
    const lines = stderr.split('\n').filter((line) => line.includes('@segment/action-destinations 0.0.1'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        destinations: ['shop/crm', 'shop/queue'],
        msg: 'code of @segment/action-destinations 0.0.1 runs in this process with all its permissions',
      },
      { destinations: ['shop/queue'], msg: expect.stringContaining('open connections of their own') },
    ])
  })
})
