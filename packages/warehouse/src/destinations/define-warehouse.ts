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
import type { WarehouseProvider } from '../dialects/provider.ts'
import { rowsOf } from '../load/rows-of.ts'
import type { ErasedTable, ErasedUser, Warehouse } from '../load/warehouse.ts'
import { RefusedRowsError } from '../load/warehouse-error.ts'
import { createWorkHere, type WarehouseWork } from '../load/warehouse-work.ts'
import { createRowMaker, type RowMaker } from '../rows/create-row-maker.ts'
import { loadSettings } from './load-settings.ts'
import { appendSettings, type WarehouseSettings, warehouseSettings } from './warehouse-settings.ts'

/** What differs between warehouses as destinations. */
export interface WarehouseProduct {
  /** Type of the destination, such as `POSTGRES`. */
  readonly type: string
  readonly otherTypes?: readonly string[]
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
  /** The local file of these settings, which only one process can open at a time. */
  readonly fileOf?: (settings: JsonObject) => string
  /** Opens the warehouse. Connects to nothing yet. @param settings complete. @param owner the workspace, when it is known. */
  open(settings: JsonObject, owner?: string): Warehouse
}

/** Events of one request, when single events are loaded. */
const eventsPerRequest = 1_000
/** Users of one deletion. */
const usersMax = 500

/** Where the work at the warehouse of a destination is done. @param owner the workspace, when it is known. */
export type WorkOf = (product: WarehouseProduct, settings: JsonObject, owner?: string) => WarehouseWork

/** In this process. */
export const workHere: WorkOf = (product, settings, owner) =>
  createWorkHere({
    ...loadSettings(settings, product.provider),
    warehouse: product.open(settings, owner),
  })

/** Declares a warehouse as a destination: events become rows, which are loaded together. */
export function defineWarehouse(product: WarehouseProduct, workOf: WorkOf = workHere): DestinationDefinition<TObject> {
  const { type, otherTypes, displayName, provider, settings, secrets, checkSettings, limits } = product
  const makers = new WeakMap<object, TimedMaker>()
  const makerOf = (given: JsonObject): TimedMaker => {
    const known = makers.get(given)
    if (known) return known
    const maker = timedMaker(provider, given)
    makers.set(given, maker)
    return maker
  }
  return defineDestination({
    type,
    otherTypes,
    displayName,
    // A test would write rows of its own.
    isTestable: false,
    supports: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    settings: Type.Object({ ...settings, ...(product.appendsOnly ? appendSettings : warehouseSettings) }),
    secrets,
    checkSettings,
    limits,
    requests(event, given, { now, sourceId, destinationId }) {
      const made = makerOf(given as JsonObject)(event as Event, now, {
        sourceId,
        destinationId,
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
      perform: (call) => perform(call, workOf(product, call.settings, call.owner)),
      hasOwnNetwork: () => true,
      check: async ({ settings: given, signal }) => {
        try {
          await workOf(product, given).check(signal)
          return { outcome: 'delivered', status: 200, message: 'The warehouse accepts the credentials.' }
        } catch (error) {
          return refusal(error)
        }
      },
    },
    load: {
      open(given, place) {
        const { syncSeconds, syncEvents, newTablesPerHour } = given as unknown as WarehouseSettings
        const pace = { ms: syncSeconds * 1_000, eventsMax: syncEvents }
        return workOf(product, given, place.workspaceId).loader({ pace, newTablesMax: newTablesPerHour }, place)
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

/** Loads rows, or deletes or finds those of users, at once. */
async function perform({ request, signal }: PerformCall, work: WarehouseWork): Promise<Verdict> {
  const body = request.body.JSON
  try {
    if (request.endpoint.endsWith('/erase')) {
      const erased = await work.erase(userIdsOf(body), usersMax, signal)
      return each(erased.map((user) => ({ outcome: 'delivered', status: 200, message: noteOf(user) })))
    }
    if (request.endpoint.endsWith('/search')) {
      const found = await work.search(userIdsOf(body), signal)
      return each(found.map(foundOf))
    }
    await work.loadAtOnce(rowsOf(request), { loadId: randomUUID(), destinationId: '', at: Date.now() }, signal)
    return { outcome: 'delivered', status: 200, message: '' }
  } catch (error) {
    return refusal(error)
  }
}

function each(items: readonly ItemVerdict[]): Verdict {
  return { outcome: 'delivered', status: 200, message: '', items }
}

function foundOf({ tables }: ErasedUser): ItemVerdict {
  const records = tables.reduce((sum, { rows }) => sum + rows, 0)
  return { outcome: 'delivered', status: 200, message: countedText(tables), records }
}

function userIdsOf({ userIds }: JsonObject): readonly string[] {
  return (Array.isArray(userIds) ? userIds : []).map((id) => (typeof id === 'string' ? id : ''))
}

/** Says what was deleted of one user. */
function noteOf({ tables, note }: ErasedUser): string {
  return [`Deleted rows: ${countedText(tables) || 'none'}.`, ...(note === undefined ? [] : [note])].join(' ')
}

function countedText(tables: readonly ErasedTable[]): string {
  return tables.map(({ table, rows }) => `${rows} of ${table}`).join(', ')
}

/** Every failure may pass, except for refused rows. A batch with one is sent again event by event. */
function refusal(error: unknown): Verdict {
  if (error instanceof RefusedRowsError) return { outcome: 'aborted', status: 400, message: error.message }
  return { outcome: 'retry', status: 503, message: error instanceof Error ? error.message : String(error) }
}

type TimedMaker = (event: Event, now: number, origin: Parameters<RowMaker>[1]) => ReturnType<RowMaker>

/** A row maker whose time is given with each event. */
function timedMaker(provider: WarehouseProvider, given: JsonObject): TimedMaker {
  let time = 0
  const maker = createRowMaker({
    provider,
    settings: {
      ...given,
      keepsLongNames: true,
      keepsNames: true,
      keepsIds: true,
      keepsTypes: true,
      storesArrays: given['arrays'] === true,
    },
    now: () => time,
    // The same event has the same id whenever it is mapped.
    uuid: (event) => hash('sha256', JSON.stringify(event)).slice(0, 32),
  })
  return (event, now, origin) => {
    time = now
    return maker(event, origin)
  }
}
