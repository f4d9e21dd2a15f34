import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface SmallPeer {
  /** Folder in which `@segment/action-destinations` is installed. */
  readonly folder: string
  remove(): void
}

let count = 0

/**
 * Writes a package that looks like `@segment/action-destinations` and has a few definitions. They use the real
 * `@segment/actions-core`, a development dependency of `@sluice/segment-actions`, so the folder lies in that package.
 *
 * @param definitions by name: the CommonJS text of each `index.js`, in which `core` is `@segment/actions-core`.
 */
export function writeSmallPeer(definitions: Readonly<Record<string, string>>): SmallPeer {
  count += 1
  const home = join(import.meta.dirname, '../../../packages/segment-actions/dist/small-peers')
  const folder = join(home, `${process.pid}-${count}`)
  const at = join(folder, 'node_modules/@segment/action-destinations')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    writeFileSync(join(at, path), text)
  }
  write('package.json', '{"name":"@segment/action-destinations","version":"0.0.1","main":"dist/index.js"}')
  write('dist/index.js', '')
  for (const [name, text] of Object.entries(definitions))
    write(`dist/destinations/${name}/index.js`, `const core = require("@segment/actions-core")\n${text}`)
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** A definition with one action, `send`, which posts its payload to the address in the settings. */
export const plainDefinition = `
const fields = {
  name: { label: 'Name', description: 'Name of the event.', type: 'string', required: true, default: { '@path': '$.event' } },
  user: { label: 'User', description: 'Id of the user.', type: 'string', default: { '@path': '$.userId' } },
}
exports.default = {
  name: 'Plain',
  mode: 'cloud',
  authentication: {
    scheme: 'custom',
    fields: {
      url: { label: 'Address', description: 'Where events go.', type: 'string', required: true },
      key: { label: 'Key', description: 'Secret key.', type: 'password', required: true },
    },
    testAuthentication: (request, { settings }) => request(settings.url + '/me'),
  },
  extendRequest: ({ settings }) => ({ headers: { 'x-key': settings.key } }),
  onDelete: (request, { settings, payload }) => request(settings.url + '/users/' + payload.userId, { method: 'delete' }),
  presets: [{ name: 'Track', type: 'automatic', partnerAction: 'send', subscribe: 'type = "track"', mapping: core.defaultValues(fields) }],
  actions: {
    send: {
      title: 'Send',
      description: 'Sends an event.',
      defaultSubscription: 'type = "track"',
      fields,
      perform: (request, { settings, payload }) => request(settings.url + '/events', { method: 'post', json: payload }),
    },
  },
}
`
