import { createRequire } from 'node:module'

/** The calls that every SDK has, with what an application gives it. */
export interface Calls {
  readonly identify: object
  readonly track: object
  readonly page: object
  readonly screen: object
  readonly group: object
  readonly alias: object
}
export type CallName = keyof Calls

/** A call, and what an application gives it. */
export type Call = readonly [name: CallName, message: Readonly<Record<string, unknown>> & { readonly userId: string }]

/** An SDK for programs: one of npm, which runs, or one of another language, whose requests are replayed. */
export interface Client {
  readonly name: string
  readonly version: string
  /** How its requests came to be, when they are replayed. */
  readonly replayed?: string
  /** Makes all calls with a new instance, and ends when it has sent them. */
  send(url: string, writeKey: string, calls: readonly Call[]): Promise<unknown>
  /** The messages that it makes of the calls. Default: what the application gives. */
  messages?(calls: readonly Call[]): readonly Readonly<Record<string, unknown>>[]
}

const require = createRequire(import.meta.url)
/** More than the calls of a run, so that an SDK sends only when it is flushed. */
const flushAt = 200

type Instance = Readonly<Record<CallName, (message: object) => void>>
type Constructor<I> = new (...settings: readonly unknown[]) => Instance & I
interface Flushed {
  flush(done?: (error?: Error) => void): unknown
}
interface Closed {
  closeAndFlush(): Promise<unknown>
}

/** Loads a package, which has its class as the module, as a member, or as the default export. */
function classIn<I>(name: string, member = 'default'): Constructor<I> {
  const loaded = require(name)
  return loaded[member] ?? loaded
}

function made<I>(instance: Instance & I, calls: readonly Call[]): Instance & I {
  for (const [name, message] of calls) instance[name](message)
  return instance
}

const withCallback = (instance: Flushed): Promise<void> =>
  new Promise((resolve, reject) => instance.flush((error) => (error ? reject(error) : resolve())))

/** Sends with SDKs of RudderStack and old ones of Segment, which flush with a callback. */
const flushing =
  (name: string, settings: (url: string) => readonly unknown[]): Client['send'] =>
  (url, writeKey, calls) =>
    withCallback(made(new (classIn<Flushed>(name))(writeKey, ...settings(url)), calls))

/** Sends with SDKs of Segment. */
const closing =
  (name: string): Client['send'] =>
  (url, writeKey, calls) =>
    made(new (classIn<Closed>(name, 'Analytics'))({ writeKey, host: url, flushAt }), calls).closeAndFlush()

const versionOf = (name: string): string => require(`${name}/package.json`).version

const rudder = '@rudderstack/rudder-sdk-node'
const segment = '@segment/analytics-node'

/** One client of each major version, and both of one within which the request changed. */
export const clients: readonly Client[] = [
  { name: rudder, version: '0.0.3', send: flushing('rudder-sdk-node-0', (url) => [`${url}/v1/batch`, { flushAt }]) },
  { name: rudder, version: '1.1.5', send: flushing('rudder-sdk-node-1', (url) => [`${url}/v1/batch`, { flushAt }]) },
  { name: rudder, version: '2.1.11', send: flushing('rudder-sdk-node-2', (url) => [{ dataPlaneUrl: url, flushAt }]) },
  { name: rudder, version: versionOf(rudder), send: flushing(rudder, (url) => [{ dataPlaneUrl: url, flushAt }]) },
  {
    name: '@rudderstack/analytics-js-service-worker',
    version: '3.3.13',
    send: async (url, writeKey, calls) =>
      made(
        new (classIn<Flushed>('@rudderstack/analytics-js-service-worker', 'Analytics'))(writeKey, url, { flushAt }),
        calls,
      ).flush(),
  },
  { name: segment, version: '1.3.0', send: closing('segment-analytics-node-1') },
  { name: segment, version: '2.3.0', send: closing('segment-analytics-node-2') },
  // Unlike later ones it has the write key in the body alone.
  { name: segment, version: '3.0.0', send: closing('segment-analytics-node-3-0') },
  { name: segment, version: versionOf(segment), send: closing(segment) },
  { name: 'analytics-node', version: '2.4.1', send: flushing('segment-node-2', (host) => [{ host, flushAt }]) },
  { name: 'analytics-node', version: '3.5.0', send: flushing('segment-node-3', (host) => [{ host, flushAt }]) },
  { name: 'analytics-node', version: '4.0.1', send: flushing('segment-node-4', (host) => [{ host, flushAt }]) },
  { name: 'analytics-node', version: '5.2.0', send: flushing('segment-node-5', (host) => [{ host, flushAt }]) },
  { name: 'analytics-node', version: '6.2.0', send: flushing('segment-node-6', (host) => [{ host, flushAt }]) },
]
