import type { LookupFunction } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import { brokerClient } from '../sinks/brokers/broker-clients.ts'
import { createClient } from '../sinks/brokers/create-client.ts'
import type { ClosableSink } from '../sinks/sink-options.ts'
import { errorCode } from '../transport/error-code.ts'
import { type AddressGuard, createAddressGuard } from '../transport/sockets/address-guard.ts'
import { BrokenPeerError } from '../transport/sockets/guarded-socket.ts'
import { peerSocketsNow } from '../transport/sockets/peer-sockets.ts'
import type { ClientSetup, MessageFromClient, MessageToClient } from './client-messages.ts'
import { guardEverySocket } from './guard-every-socket.ts'
import { Outbox } from './outbox.ts'

/**
 * Main file of a process in which clients of one kind run. Bytes of strangers are read here, so anything may happen: the
 * process that started this one takes its end for a failure of the requests under way.
 */

/** How often the memory is looked at, in milliseconds. */
const lookEveryMs = 250
/** How long clients have to close their connections, in milliseconds. */
const closeMs = 1_500

/** What the clients need. */
const packages = {
  kafka: ['kafkajs'],
  mqtt: ['mqtt'],
  nats: ['@nats-io/transport-node', '@nats-io/jetstream'],
  rabbitmq: ['amqplib'],
  redis: ['@redis/client'],
} as const

const underWay = new Map<number, AbortController>()
const leaving = new Map<number, (isAllowed: boolean) => void>()
const lookUps = new Map<number, Parameters<LookupFunction>[2]>()
const wantsAll = new Set<number>()
let lastLookUp = 0
let sink: ClosableSink | undefined

const outbox = new Outbox<MessageFromClient>((messages) => {
  // Without a channel there is nothing left to say.
  if (process.connected) process.send?.([...messages], () => {})
})

function post(message: MessageFromClient): void {
  outbox.post(message)
}

function end(reason: string): void {
  post({ kind: 'failing', reason })
  outbox.flush()
  setTimeout(() => process.exit(1), 20)
}

/** Names are looked up by the process that started this one, where owners take turns. */
function lookupOf(owner: string): LookupFunction {
  return (hostname, { all }, callback) => {
    lastLookUp += 1
    lookUps.set(lastLookUp, callback)
    if (all) wantsAll.add(lastLookUp)
    post({ kind: 'look-up', id: lastLookUp, owner, hostname })
  }
}

function createSink({ client, allowAddresses, connectTimeMs, connectionsMax }: ClientSetup): ClosableSink {
  const { check } = createAddressGuard(allowAddresses)
  return createClient(client, {
    connectTimeMs,
    connectionsMax,
    guardOf: (owner: string): AddressGuard => ({ check, lookup: lookupOf(owner) }),
  })
}

async function send({ id, request, owner, timeMs, asks }: Extract<MessageToClient, { kind: 'send' }>): Promise<void> {
  const stop = new AbortController()
  underWay.set(id, stop)
  const mayLeave = (): Promise<boolean> =>
    new Promise((resolve) => {
      leaving.set(id, resolve)
      post({ kind: 'asks', id })
    })
  try {
    const parsed = JSON.parse(request) as DeliveryRequest
    const options = { signal: stop.signal, timeMs, owner, mayLeave: asks ? mayLeave : undefined }
    const result = await sink?.send(parsed, options)
    if (result) post({ kind: 'result', id, result })
  } catch (error) {
    // It was stopped, so that no result is waited for; or a client failed in a way of its own.
    const code = errorCode(error)
    if (!stop.signal.aborted)
      post({ kind: 'result', id, result: { kind: 'network', code, message: `The client failed (${code}).` } })
  } finally {
    underWay.delete(id)
    leaving.delete(id)
  }
}

function found({ id, addresses, error }: Extract<MessageToClient, { kind: 'found' }>): void {
  const callback = lookUps.get(id)
  const all = wantsAll.delete(id)
  lookUps.delete(id)
  const [first] = addresses
  if (error !== undefined || first === undefined)
    callback?.(Object.assign(new Error('the name was not found'), { code: error ?? 'ENOTFOUND' }), '')
  else if (all) callback?.(null, [...addresses])
  else callback?.(null, first.address, first.family)
}

async function close(): Promise<void> {
  setTimeout(() => process.exit(0), closeMs)
  await sink?.close()
  outbox.flush()
  process.disconnect()
}

async function setUp(setup: ClientSetup): Promise<void> {
  guardEverySocket()
  sink = createSink(setup)
  setInterval(() => {
    if (process.memoryUsage.rss() > setup.memoryBytesMax)
      end(`it took more than ${setup.memoryBytesMax} bytes of memory`)
  }, lookEveryMs).unref()
  // Now, because it does not count against the time of a request. One that is missing is reported by the request.
  await Promise.all(packages[setup.client].map((name) => brokerClient(name).catch(() => {})))
  post({ kind: 'ready' })
}

process.on('message', (messages: readonly MessageToClient[]) => {
  for (const message of messages) take(message)
})

function take(message: MessageToClient): void {
  if (message.kind === 'setup') void setUp(message)
  // After what was stopped before has ended: messages may arrive together.
  else if (message.kind === 'send') setImmediate(() => void send(message))
  else if (message.kind === 'stop') underWay.get(message.id)?.abort()
  else if (message.kind === 'may-leave') leaving.get(message.id)?.(message.isAllowed)
  else if (message.kind === 'found') found(message)
  else if (message.kind === 'ping') post({ kind: 'pong' })
  else void close()
}
process.on('disconnect', () => {
  setTimeout(() => process.exit(0), closeMs).unref()
})
// The one that started this one may have ended before.
if (!process.connected) process.exit(0)
// Signals of a terminal reach all its processes; the one that started this one says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** Errors in the code of a client end its connection. Node calls these listeners in the context of the code that failed. */
function contain(error: unknown): boolean {
  const sockets = peerSocketsNow()
  sockets?.break(new BrokenPeerError('EPEERBROKEN', `the client failed (${errorCode(error)})`, error))
  return sockets !== undefined
}
process.on('unhandledRejection', (error) => void contain(error))
process.on('uncaughtException', (error) => {
  if (!contain(error)) end(`an exception of the client was not handled (${errorCode(error)})`)
})
