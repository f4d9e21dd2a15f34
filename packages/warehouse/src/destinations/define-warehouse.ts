import { hash, randomUUID } from 'node:crypto'
import type { Event, JsonObject } from '@sluice/core'
import {
  action,
  type DestinationDefinition,
  defineDestination,
  type ItemVerdict,
  instrumentationError,
  type PerformCall,
  pack,
  type Verdict,
} from '@sluice/destinations/kit'
import { type TObject, type TProperties, Type } from 'typebox'
import { dialectOf } from '../dialects/dialect.ts'
import type { WarehouseProvider } from '../dialects/provider.ts'
import { createLoader, type LoaderOptions, loadAtOnce } from '../load/create-loader.ts'
import type { PrepareOptions } from '../load/prepare-load.ts'
import { rowsOf } from '../load/rows-of.ts'
import type { ErasedTable, ErasedUser, Warehouse } from '../load/warehouse.ts'
import { createRowMaker, type RowMaker } from '../rows/create-row-maker.ts'
import { appendSettings, type WarehouseSettings, warehouseSettings } from './warehouse-settings.ts'

/** What differs between warehouses as destinations. */
export interface WarehouseProduct {
  /** Type of the destination, such as `POSTGRES`. */
  readonly type: string
  readonly displayName: string
  readonly provider: WarehouseProvider
  /** Settings besides those that all warehouses have. */
  readonly settings: TProperties
  readonly secrets: readonly string[]
  /** Checks that the types of the settings cannot express. */
  readonly checkSettings?: DestinationDefinition['checkSettings']
  readonly limits: readonly string[]
  /** Set when rows can only be added. */
  readonly appendsOnly?: true
  /** Opens the warehouse. Connects to nothing yet. @param settings complete. @param owner the workspace, when it is known. */
  open(settings: JsonObject, owner?: string): Warehouse
}

/** Events of one request, when single events are loaded. */
const eventsPerRequest = 1_000
/** Users of one deletion. */
const usersMax = 500
const dayMs = 86_400_000

/** Declares a warehouse as a destination: events become rows, which are loaded together. */
export function defineWarehouse(product: WarehouseProduct): DestinationDefinition<TObject> {
  const { type, displayName, provider, settings, secrets, checkSettings, limits } = product
  const makers = new WeakMap<object, TimedMaker>()
  const makerOf = (given: JsonObject): TimedMaker => {
    const known = makers.get(given)
    if (known) return known
    const maker = timedMaker(provider, given)
    makers.set(given, maker)
    return maker
  }
  const optionsOf = (given: JsonObject, owner?: string): Omit<LoaderOptions, 'pace'> => ({
    ...loadSettings(given, provider),
    warehouse: product.open(given, owner),
  })
  return defineDestination({
    type,
    displayName,
    // A test would write rows of its own.
    isTestable: false,
    supports: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    settings: Type.Object({ ...settings, ...(product.appendsOnly ? appendSettings : warehouseSettings) }),
    secrets,
    ...(checkSettings ? { checkSettings } : {}),
    limits,
    requests(event, given, { now, sourceId, destinationId }) {
      const made = makerOf(given as JsonObject)(event as Event, now, {
        ...(sourceId === undefined ? {} : { sourceId }),
        ...(destinationId === undefined ? {} : { destinationId }),
        destinationType: type,
      })
      if (!made.ok) return instrumentationError(made.error.message)
      if (made.rows.length === 0) return []
      // Rows show themselves as JSON objects.
      const rows = made.rows as unknown as JsonObject[]
      return action({ endpoint: `action:${type.toLowerCase()}/load`, body: { rows } })
    },
    batch: pack({
      itemsMax: eventsPerRequest,
      merge: (items) => ({
        ...items[0].request,
        userId: '',
        body: {
          ...items[0].request.body,
          JSON: { rows: items.flatMap(({ request }) => rowsOf(request)) as unknown as JsonObject[] },
        },
      }),
    }),
    action: {
      perform: (call) => perform(call, optionsOf(call.settings)),
      hasOwnNetwork: () => true,
      check: async ({ settings: given, signal }) => {
        try {
          const session = await product.open(given).connect(signal)
          await session.close()
          return { outcome: 'delivered', status: 200, message: 'The warehouse accepts the credentials.' }
        } catch (error) {
          return refusal(error)
        }
      },
    },
    load: {
      open(given, place) {
        const { syncSeconds, syncEvents } = given as unknown as WarehouseSettings
        return createLoader(
          { ...optionsOf(given, place.workspaceId), pace: { ms: syncSeconds * 1_000, eventsMax: syncEvents } },
          place,
        )
      },
    },
    deletion: {
      findsWritings: true,
      keeps:
        'rows from before Sluice kept traits.id and traits.userId in a column of ids, if they name the person only there,',
      usersMax,
      requests: (users) => [
        action({
          endpoint: `action:${type.toLowerCase()}/erase`,
          body: { userIds: users.map(({ userId }) => userId ?? null) },
        }),
      ],
      search: {
        requests: ({ userId }) => [
          action({ endpoint: `action:${type.toLowerCase()}/search`, body: { userIds: [userId ?? null] } }),
        ],
      },
    },
    examples: [],
  })
}

/** How rows of these settings are loaded. */
export function loadSettings(
  given: JsonObject,
  provider: WarehouseProvider,
): Pick<PrepareOptions, 'mode' | 'nameOf' | 'windowMs'> {
  const { loadMode, mergeWindowDays = 0 } = given as unknown as WarehouseSettings
  const { isUpperCase } = dialectOf(provider)
  return {
    mode: loadMode === 'merge' ? 'replace' : 'append',
    ...(mergeWindowDays > 0 ? { windowMs: mergeWindowDays * dayMs } : {}),
    nameOf: (name) => (isUpperCase ? name.toUpperCase() : name),
  }
}

/** Loads rows, or deletes or finds those of users, at once. */
async function perform({ request, signal }: PerformCall, options: Omit<LoaderOptions, 'pace'>): Promise<Verdict> {
  try {
    if (request.endpoint.endsWith('/erase')) return await erase(request.body.JSON, options.warehouse, signal)
    if (request.endpoint.endsWith('/search')) return await search(request.body.JSON, options.warehouse, signal)
    const rows = rowsOf(request)
    // Rows replace those with the same id, so that an event that is tried again has one row.
    await loadAtOnce(
      rows,
      { ...options, mode: 'replace', loadId: randomUUID(), destinationId: '', at: Date.now() },
      signal,
    )
    return { outcome: 'delivered', status: 200, message: '' }
  } catch (error) {
    return refusal(error)
  }
}

async function search(body: JsonObject, warehouse: Warehouse, signal: AbortSignal): Promise<Verdict> {
  const session = await warehouse.connect(signal)
  try {
    const found = await session.search({ userIds: userIdsOf(body), signal })
    const items = found.map(({ tables }): ItemVerdict => {
      const records = tables.reduce((sum, { rows }) => sum + rows, 0)
      return { outcome: 'delivered', status: 200, message: countedText(tables), records }
    })
    return { outcome: 'delivered', status: 200, message: '', items }
  } finally {
    await session.close()
  }
}

function userIdsOf({ userIds }: JsonObject): readonly string[] {
  return (Array.isArray(userIds) ? userIds : []).map((id) => (typeof id === 'string' ? id : ''))
}

async function erase(body: JsonObject, warehouse: Warehouse, signal: AbortSignal): Promise<Verdict> {
  const session = await warehouse.connect(signal)
  try {
    const erased = await session.erase({ userIds: userIdsOf(body), usersPerBatch: usersMax, signal })
    const items = erased.map((user) => ({ outcome: 'delivered', status: 200, message: noteOf(user) }) as const)
    return { outcome: 'delivered', status: 200, message: '', items }
  } finally {
    await session.close()
  }
}

/** Says what was deleted of one user. */
function noteOf({ tables, note }: ErasedUser): string {
  return [`Deleted rows: ${countedText(tables) || 'none'}.`, ...(note === undefined ? [] : [note])].join(' ')
}

function countedText(tables: readonly ErasedTable[]): string {
  return tables.map(({ table, rows }) => `${rows} of ${table}`).join(', ')
}

/** Every failure may pass: a warehouse refuses no single event. */
function refusal(error: unknown): Verdict {
  return { outcome: 'retry', status: 503, message: error instanceof Error ? error.message : String(error) }
}

type TimedMaker = (event: Event, now: number, origin: Parameters<RowMaker>[1]) => ReturnType<RowMaker>

/** A row maker whose time is given with each event. */
function timedMaker(provider: WarehouseProvider, given: JsonObject): TimedMaker {
  let time = 0
  const maker = createRowMaker({
    provider,
    settings: { ...given, keepsLongNames: true, keepsIds: true, storesArrays: given['arrays'] === true },
    now: () => time,
    // The same event has the same id whenever it is mapped.
    uuid: (event) => hash('sha256', JSON.stringify(event)).slice(0, 32),
  })
  return (event, now, origin) => {
    time = now
    return maker(event, origin)
  }
}
