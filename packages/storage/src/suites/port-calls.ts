import type { Store } from '@sluice/pipeline'
import { ValueCounter } from '@sluice/schema'
import {
  sampleBatch,
  sampleCount,
  sampleDeadLetter,
  sampleDeferred,
  sampleHistory,
  sampleJob,
  sampleReceipt,
  sampleRegulation,
  sampleVersion,
} from './sample-records.ts'

/** A call that writes, and what is to be seen of it afterwards. */
export interface WritingCall {
  /** Stores what the call needs. */
  readonly before?: (store: Store) => Promise<unknown>
  readonly call: (store: Store) => Promise<unknown>
  /** Reads what the call has changed, without ids and positions that stores generate. */
  readonly left: (store: Store) => Promise<unknown>
}

/** A method that only reads, or writes only through others. */
type Reads = 'reads'

/** Members of a store that are ports; not the cluster, which is about processes and not of what they store. */
type Port = Exclude<
  {
    readonly [Member in keyof Store]-?: NonNullable<Store[Member]> extends string | ((...args: never) => unknown)
      ? never
      : Member
  }[keyof Store],
  'cluster'
>
/** Ports inside the port of regulations are listed like the others. */
type RegulationPort = 'ledger' | 'index' | 'deletions' | 'writings' | 'requests'
type Calls<Of> = {
  readonly [Method in keyof Of as NonNullable<Of[Method]> extends (...args: never) => unknown ? Method : never]-?:
    | WritingCall
    | Reads
}

type PortCalls = { readonly [Each in Port]: Calls<Store[Each]> } & {
  readonly [Each in RegulationPort]: Calls<Store['regulations'][Each]>
}

const consumer = 'consumer'
const at = 1_767_225_600_000
const window = { windowMs: 60_000, idsMax: 1_000 }
const load = { lane: 0, loadId: 'a', position: 7 }
const segment = { number: 1, position: 1, bytes: Buffer.from('bits') }
const session = { text: '1', endsAt: 5 }
const place = { position: 6, index: 0 }
const model = { writeKey: 'k1', eventType: 'track', eventIdentifier: 'Bought' }

/**
 * Every method of every port; one that is added does not compile until it is listed.
 * @param w the workspace in which it is called, also part of all ids: calls do not meet one another.
 */
export function portCalls(w: string): PortCalls {
  const batch = (more: Parameters<typeof sampleBatch>[0] = {}) => sampleBatch({ workspaceId: w, ...more })
  const count = (more: Parameters<typeof sampleCount>[0] = {}) => sampleCount({ workspaceId: w, ...more })
  const named = { ...count(), named: { day: '2026-01-01', name: 'track Bought' } }
  const receipt = (more: Parameters<typeof sampleReceipt>[0] = {}) => sampleReceipt({ workspaceId: w, ...more })
  const deferred = (id: string, more: Parameters<typeof sampleDeferred>[0] = {}) =>
    sampleDeferred({ workspaceId: w, id: `${w} ${id}`, ...more })
  const letter = (id: string, more: Parameters<typeof sampleDeadLetter>[0] = {}) =>
    sampleDeadLetter({ workspaceId: w, id: `${w} ${id}`, ...more })
  const regulation = sampleRegulation({ workspaceId: w, id: `${w} r` })
  const job = (more: Parameters<typeof sampleJob>[0] = {}) =>
    sampleJob({ workspaceId: w, id: `${w} j`, regulationId: regulation.id, ...more })
  const target = { workspaceId: w, destinationId: 'd1' }
  const writeId = `${w} write`

  const appended = (store: Store) => store.log.append(batch(), [count()])
  /** The events behind the position that a call returned. */
  const behind = async ({ log }: Store, position: number | undefined) =>
    position === undefined ? [] : (await log.read(w, position - 1, 1)).map(({ events }) => events)
  const batches = async ({ log, counters }: Store) => [
    (await log.read(w, 0, 10)).map(({ events }) => events),
    await counters.read(w),
  ]
  const historyOf = ({ history }: Store) =>
    history.read({ workspaceId: w, since: 0, until: at + 3_600_000, everyMs: 3_600_000, fromMs: 3_600_000 })
  const cursors = async ({ log }: Store) => [...(await log.cursors(w)).keys()]
  const progressed = async ({ log }: Store, made: Partial<Parameters<Store['log']['commit']>[0]>): Promise<void> => {
    await log.register(w, consumer)
    const position = await log.append(batch(), [])
    await log.commit({ workspaceId: w, consumer, position, counts: [], receipts: [], ...made })
  }
  const regulated = (store: Store) => store.regulations.add([regulation], [job()])
  const begun = async (store: Store) => {
    await regulated(store)
    await store.regulations.deletions.begin(target, 10, 5)
  }
  const regulations = async ({ regulations: { activeOf, deletions, list, changes } }: Store) => [
    await list(w, { limit: 10 }),
    await activeOf(w, ['u1', 'u2']),
    await deletions.ofRegulation(w, regulation.id),
    (await changes(0, 10_000)).flatMap(({ workspaceId, userId, delta }) => (workspaceId === w ? [userId, delta] : [])),
  ]
  const jobs = ({ regulations: { deletions } }: Store) => deletions.ofRegulation(w, regulation.id)
  const withRetries = (store: Store) => progressed(store, { deferred: [deferred('a'), deferred('b')] })
  const withLetters = (store: Store) => progressed(store, { deadLetters: [letter('a'), letter('b')] })
  const outcomes = async ({ retries, deadLetters, counters, receipts }: Store) => [
    await retries.entries(w, 'd1'),
    await deadLetters.list(w, { limit: 10 }),
    await deadLetters.usage(w),
    await counters.read(w),
    await receipts.find(w, 'm1'),
  ]
  const loads = async ({ loads }: Store) => [await loads.begun(w, consumer), await loads.attempts(w, consumer, 10)]
  const valuesOfUser = () => {
    const counter = new ValueCounter()
    for (const value of ['u1', 'u2', 'u2']) if (!counter.addKnown(value)) counter.addNew(value)
    return { ...model, versions: [{ schemaHash: 'hash-a', counters: new Map([['userId', counter]]) }] }
  }
  const observed = ({ schema }: Store) =>
    schema.merge(w, { versions: [sampleVersion({ samples: [{ rank: 0, text: '{"userId":"u1"}', user: '' }] })] })
  const catalogue = async ({ schema }: Store) => {
    const [found] = await schema.models(w)
    const versions = await schema.versions(w, found?.eventId ?? '')
    const [version] = versions
    return [
      found?.totalCount,
      versions.map(({ schemaHash, totalCount }) => [schemaHash, totalCount]),
      (await schema.values(w, version?.versionId ?? '')).get('userId')?.frequent(),
      (await schema.samples(w, version?.versionId ?? '')).map(({ text }) => text),
    ]
  }
  const request = {
    workspaceId: w,
    id: 'r',
    type: 'erasure',
    digest: 'd',
    receivedAt: 1_000,
    address: 'https://dsr.shop.test',
    regulationIds: [regulation.id],
    callbacks: [],
    callbacksFailed: 0,
  } as const
  const requested = ({ regulations: { requests } }: Store) => requests.add({ request, dueAt: 900 })
  const requests = async ({ regulations: { requests } }: Store) =>
    (await requests.due(1_000, 1_000)).filter((each) => each.request.workspaceId === w)
  const marked = ({ regulations: { ledger } }: Store) => ledger.mark(new Map([[w, 'a']]))
  const marks = async ({ regulations: { ledger } }: Store) => (await ledger.marks()).get(w)
  const segments = async ({ regulations: { index } }: Store) => [await index.numbers(), await index.settled()]
  const written = ({ regulations: { writings } }: Store) => writings.add(w, [{ userId: 'u1', written: ' u1' }])
  const writings = ({ regulations: { writings } }: Store) => writings.of(w, ['u1'])
  const sessionKey = `${w} s`
  const code = {
    record: {
      kind: 'transformation',
      id: `${w}-a`,
      workspaceId: w,
      importName: '',
      newestVersionId: `${w}-a.1`,
      publishedVersionId: null,
      testInput: null,
      destinationIds: [],
      createdAt: at,
      updatedAt: at,
    },
    version: {
      id: `${w}-a`,
      versionId: `${w}-a.1`,
      number: 1,
      name: 'a',
      description: '',
      code: 'export const a = 1',
      language: 'javascript',
      createdAt: at,
    },
  } as const
  const record = {
    workspaceId: w,
    kind: 'source',
    id: 's1',
    revision: 1,
    createdAt: at,
    updatedAt: at,
    body: {},
  } as const
  /** @returns whether it was stored. */
  const commitOnNewest = async (configuration: Store['configuration']) =>
    (await configuration.commit({ put: [record] }, await configuration.revision())) !== undefined
  const starts = ({ crashes }: Store) => crashes.started(w, new Map([[consumer, 5]]))
  const tried = async (store: Store) => {
    await starts(store)
    await store.crashes.trying(w, consumer, place)
  }

  return {
    log: {
      append: { call: async (store) => behind(store, await appended(store)), left: batches },
      appendNew: {
        before: ({ log }) => log.appendNew(batch(), [count()], window),
        call: async (store) => {
          const events = ['m1', 'm2'].map((messageId) => ({ type: 'track', event: 'Bought', messageId }))
          const { position, duplicates } = await store.log.appendNew(batch({ events }), [count({ count: 2 })], window)
          return [await behind(store, position), duplicates]
        },
        left: batches,
      },
      requireRoom: 'reads',
      usage: 'reads',
      register: {
        before: appended,
        call: async ({ log }) => (await log.register(w, consumer)) >= (await log.end(w)),
        left: cursors,
      },
      read: 'reads',
      commit: {
        before: async ({ log }) => {
          await log.register(w, consumer)
          await log.append(batch(), [])
        },
        call: async ({ log }) => {
          const made = {
            counts: [count()],
            receipts: [receipt()],
            deferred: [deferred('a')],
            deadLetters: [letter('a')],
          }
          await log.commit({ workspaceId: w, consumer, position: await log.end(w), ...made })
        },
        left: outcomes,
      },
      cursors: 'reads',
      eventsDone: 'reads',
      workspaces: 'reads',
      unregister: {
        before: ({ log }) => log.register(w, consumer),
        call: ({ log }) => log.unregister(w, consumer),
        left: cursors,
      },
      end: 'reads',
      trim: {
        before: appended,
        call: ({ log }) => log.trim(w, { since: at + 1, bytesMax: 0 }),
        left: batches,
      },
      forgetUsers: {
        before: ({ log }) => log.append(batch({ events: [{ type: 'track', userId: 'u1', messageId: 'm1' }] }), []),
        call: ({ log }) => log.forgetUsers(w, ['u1']),
        left: batches,
      },
      open: 'reads',
      settled: 'reads',
      watch: 'reads',
    },
    counters: {
      add: { call: ({ counters }) => counters.add([count({ count: 3 })]), left: batches },
      readNamed: 'reads',
      tidyNamed: {
        before: ({ counters }) => counters.add([named]),
        call: ({ counters }) => counters.tidyNamed(at),
        left: ({ counters }) => counters.readNamed({ workspaceId: w, sourceId: named.sourceId, day: named.named.day }),
      },
      read: 'reads',
    },
    history: {
      snap: {
        before: ({ counters }) => counters.add([count({ count: 3 })]),
        call: ({ history }) => history.snap(at),
        left: historyOf,
      },
      add: {
        call: ({ history }) => history.add(at, [sampleHistory({ workspaceId: w })], writeId),
        left: historyOf,
      },
      read: 'reads',
      prune: {
        before: ({ history }) => history.add(0, [sampleHistory({ workspaceId: w })]),
        call: ({ history }) => history.prune(at),
        left: historyOf,
      },
    },
    receipts: {
      find: 'reads',
      count: 'reads',
      mentioning: 'reads',
      forget: {
        before: (store) =>
          progressed(store, {
            receipts: [receipt({ outcome: 'failed', reason: 'no u1' }), receipt({ messageId: 'm2' })],
          }),
        call: ({ receipts }) => receipts.forget(w, ['u1']),
        left: async ({ receipts }) => [await receipts.count(w), await receipts.find(w, 'm1')],
      },
    },
    retries: {
      add: {
        call: ({ retries }) => retries.add(w, [deferred('a')], [count({ kind: 'replayed' })]),
        left: outcomes,
      },
      destinations: 'reads',
      entries: 'reads',
      read: 'reads',
      ofUser: 'reads',
      ofMessage: 'reads',
      commit: {
        before: withRetries,
        call: ({ retries }) =>
          retries.commit({
            ...target,
            writeId,
            ended: [`${w} a`],
            again: [deferred('b', { dueAt: 9 })],
            counts: [count({ destinationId: 'd1', kind: 'failed' })],
            receipts: [receipt()],
            deadLetters: [letter('a')],
          }),
        left: outcomes,
      },
    },
    loads: {
      begin: {
        before: ({ loads }) => loads.begin(w, consumer, [load]),
        call: ({ loads }) => loads.begin(w, consumer, [{ ...load, loadId: 'b' }], [load]),
        left: loads,
      },
      over: {
        before: ({ loads }) => loads.begin(w, consumer, [load]),
        call: ({ loads }) => loads.over(w, consumer, load.loadId),
        left: loads,
      },
      begun: 'reads',
      ended: {
        call: ({ loads }) => loads.ended(w, consumer, { startedAt: 1, endedAt: 2, events: 3 }),
        left: loads,
      },
      attempts: 'reads',
      forget: {
        before: ({ loads }) => loads.begin(w, consumer, [load]),
        call: ({ loads }) => loads.forget(w, consumer),
        left: loads,
      },
    },
    deadLetters: {
      list: 'reads',
      ids: 'reads',
      groups: 'reads',
      slots: 'reads',
      find: 'reads',
      ofMessage: 'reads',
      replay: {
        before: withLetters,
        call: ({ deadLetters }) =>
          deadLetters.replay(w, [
            { id: `${w} a`, deferred: deferred('x'), counts: [count({ kind: 'replayed' })] },
            { id: 'unknown', deferred: deferred('y'), counts: [count({ kind: 'replayed' })] },
          ]),
        left: outcomes,
      },
      remove: { before: withLetters, call: ({ deadLetters }) => deadLetters.remove(w, [`${w} a`]), left: outcomes },
      forgetUsers: {
        before: withLetters,
        call: ({ deadLetters }) => deadLetters.forgetUsers(w, ['u1']),
        left: outcomes,
      },
      usage: 'reads',
      forgetOld: {
        before: (store) => progressed(store, { deadLetters: [letter('a', { at: -(10 ** 12) })] }),
        call: ({ deadLetters }) => deadLetters.forgetOld(),
        left: outcomes,
      },
    },
    regulations: {
      add: { call: regulated, left: regulations },
      cancel: { before: regulated, call: ({ regulations }) => regulations.cancel(w, regulation.id), left: regulations },
      identify: {
        before: regulated,
        call: ({ regulations }) =>
          regulations.identify([{ ...regulation, attributes: { ...regulation.attributes, userId: 'u2' } }]),
        left: regulations,
      },
      find: 'reads',
      findAll: 'reads',
      list: 'reads',
      activeOf: 'reads',
      activeAt: 'reads',
      hasFurtherKeys: 'reads',
      changes: 'reads',
      all: 'reads',
    },
    ledger: {
      marks: 'reads',
      mark: { call: marked, left: marks },
      forget: { before: marked, call: ({ regulations: { ledger } }) => ledger.forget(), left: marks },
    },
    index: {
      secret: { call: ({ regulations: { index } }) => index.secret(Buffer.from('fresh')), left: segments },
      write: { call: ({ regulations: { index } }) => index.write(segment), left: segments },
      settle: {
        before: ({ regulations: { index } }) => index.secret(Buffer.from('fresh')),
        call: ({ regulations: { index } }) => index.settle(1, Buffer.from('digest')),
        left: segments,
      },
      settled: 'reads',
      numbers: 'reads',
      read: 'reads',
      reset: {
        before: regulated,
        call: ({ regulations: { index } }) => index.reset(),
        left: regulations,
      },
    },
    deletions: {
      ofRegulation: 'reads',
      ordered: 'reads',
      hold: {
        before: ({ regulations: { add } }) => add([regulation], [job({ status: 'aborted', reason: 'no ids' })]),
        call: ({ regulations: { deletions } }) => deletions.hold(w, [regulation.id], 'needs a key'),
        left: jobs,
      },
      countHeld: 'reads',
      due: 'reads',
      nextDueAt: 'reads',
      begin: {
        before: regulated,
        call: ({ regulations: { deletions } }) => deletions.begin(target, 10, 5),
        left: jobs,
      },
      mark: {
        before: begun,
        call: ({ regulations: { deletions } }) => deletions.mark(w, [job().id], 'sent'),
        left: jobs,
      },
      end: {
        before: begun,
        call: ({ regulations: { deletions } }) =>
          deletions.end(w, [{ id: job().id, status: 'complete', attempts: 1, dueAt: 11, updatedAt: 11 }]),
        left: jobs,
      },
      complete: {
        before: ({ regulations: { add } }) => add([regulation], [job({ status: 'aborted', reason: 'cannot' })]),
        call: ({ regulations: { deletions } }) =>
          deletions.complete(w, regulation.id, job().destinationId, 'done by a person'),
        left: jobs,
      },
      bringForward: {
        before: ({ regulations: { add } }) => add([regulation], [job({ status: 'failed', dueAt: 99 })]),
        call: ({ regulations: { deletions } }) => deletions.bringForward(w, regulation.id, job().destinationId, 10),
        left: jobs,
      },
      resume: {
        before: async (store) => {
          // Those of all workspaces are resumed.
          await store.regulations.deletions.resume()
          await regulated(store)
          await store.regulations.deletions.begin(target, 10, 5)
        },
        call: ({ regulations: { deletions } }) => deletions.resume(),
        left: jobs,
      },
    },
    writings: {
      add: { call: written, left: writings },
      of: 'reads',
      forget: {
        before: written,
        call: ({ regulations: { writings } }) => writings.forget(w, ['u1']),
        left: writings,
      },
    },
    requests: {
      add: { call: requested, left: requests },
      find: 'reads',
      due: 'reads',
      nextDueAt: 'reads',
      update: {
        before: requested,
        call: ({ regulations: { requests } }) =>
          requests.update({ request: { ...request, callbacksFailed: 1 }, dueAt: 800 }, 900),
        left: requests,
      },
      bringForward: {
        before: requested,
        call: ({ regulations: { requests } }) => requests.bringForward(w, [regulation.id], 50),
        left: requests,
      },
      forget: {
        before: ({ regulations: { requests } }) => requests.add({ request, dueAt: undefined }),
        call: ({ regulations: { requests } }) => requests.forget(2_000),
        left: ({ regulations: { requests } }) => requests.find(w, 'r'),
      },
    },
    schema: {
      merge: { call: observed, left: catalogue },
      mergeValues: {
        before: observed,
        call: ({ schema }) => schema.mergeValues(w, valuesOfUser()),
        left: catalogue,
      },
      models: 'reads',
      model: 'reads',
      versions: 'reads',
      version: 'reads',
      values: 'reads',
      samples: 'reads',
      samplesOf: 'reads',
      structure: 'reads',
      days: 'reads',
      bounds: 'reads',
      forget: {
        before: async (store) => {
          await observed(store)
          await store.schema.mergeValues(w, valuesOfUser())
        },
        call: ({ schema }) => schema.forget(w, ['u1']),
        left: catalogue,
      },
      watch: 'reads',
    },
    transformations: {
      list: 'reads',
      find: 'reads',
      bytes: 'reads',
      versions: 'reads',
      findVersion: 'reads',
      live: 'reads',
      commit: {
        call: ({ transformations }) => transformations.commit(w, { create: code }),
        left: ({ transformations }) => transformations.list(w, 'transformation'),
      },
    },
    configuration: {
      read: 'reads',
      revision: 'reads',
      commit: {
        call: ({ configuration }) => commitOnNewest(configuration),
        left: async ({ configuration }) =>
          (await configuration.read()).records.filter((each) => each.workspaceId === w),
      },
    },
    audit: {
      add: {
        call: ({ audit }) =>
          audit.add({ workspaceId: w, token: 'ci', user: '', method: 'POST', path: '/x', status: 200, at }),
        left: async ({ audit }) => (await audit.list(w, 10)).map(({ path }) => path),
      },
      list: 'reads',
    },
    changeLog: {
      add: {
        call: ({ changeLog }) =>
          changeLog.add([
            {
              workspaceId: w,
              at,
              who: 'ci',
              kind: 'created',
              subject: { kind: 'source', id: 's', name: 'S' },
              text: 'x',
            },
          ]),
        left: async ({ changeLog }) => (await changeLog.list(w, 10)).map(({ text }) => text),
      },
      list: 'reads',
    },
    crashes: {
      started: { call: starts, left: async () => [] },
      trying: { before: starts, call: ({ crashes }) => crashes.trying(w, consumer, place), left: starts },
      tried: {
        before: tried,
        call: ({ crashes }) => crashes.tried(w, consumer),
        left: starts,
      },
      stopped: {
        before: tried,
        call: ({ crashes }) => crashes.stopped(w),
        left: starts,
      },
    },
    sessions: {
      put: {
        call: ({ sessions }) => sessions.put(sessionKey, session),
        left: ({ sessions }) => sessions.find(sessionKey),
      },
      find: 'reads',
      take: {
        before: ({ sessions }) => sessions.put(sessionKey, session),
        call: ({ sessions }) => sessions.take(sessionKey),
        left: ({ sessions }) => sessions.find(sessionKey),
      },
    },
  }
}
