import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { RefusedRowsError } from '../load/warehouse-error.ts'
import { doTask } from '../process/do-task.ts'
import { createUnpacker } from '../process/packed-rows.ts'
import { type Job, type MessageFromWorker, type MessageToWorker, type Task, workFolderPrefix } from '../process/task.ts'
import type { TableRow } from '../rows/table-row.ts'
import type { WarehouseProduct } from './define-warehouse.ts'
import { loadSettings } from './load-settings.ts'
import { warehouseProducts } from './warehouse-products.ts'

/**
 * Main file of a process that does one task at a time at a warehouse. Drivers, native code and bytes of strangers are
 * here, so anything may happen: the process that started this one takes its end for a failure of the task.
 */

/** Characters of an error that are passed on: a server may answer with megabytes. */
const messageLengthMax = 2_000

/** How often the memory is looked at, in milliseconds. */
const lookEveryMs = 100
/** Bytes that the process may take: values of JavaScript, buffers, and what DuckDB takes. */
const memoryBytesMax = 1_400_000_000

let stop = new AbortController()
let unpack = createUnpacker()
let rows: TableRow[] = []
let whole: ((rows: readonly TableRow[] | undefined) => void) | undefined

function post(message: MessageFromWorker, then = (): void => {}): void {
  // Without a channel there is nothing left to say.
  if (process.connected) process.send?.(message, then)
  else then()
}

function end(reason: string): void {
  post({ kind: 'ending', reason }, () => process.exit(1))
}

/** Ends this process, with its folder, which may hold rows: the one that started this one is not there to remove it. */
function leave(): void {
  const folder = tmpdir()
  if (basename(folder).startsWith(workFolderPrefix)) rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

async function begin({ type, settings, allowAddresses }: Job, task: Task): Promise<void> {
  stop = new AbortController()
  const { signal } = stop
  try {
    const product = productOf(type, allowAddresses)
    const result = await doTask(task, {
      warehouse: product.open(settings),
      loading: loadSettings(settings, product.provider),
      signal,
      nextLoad() {
        unpack = createUnpacker()
        post({ kind: 'next-load' })
        return new Promise((resolve, reject) => {
          whole = resolve
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      },
    })
    post({ kind: 'done', result })
  } catch (error) {
    const { message, code } = error as { readonly message?: unknown; readonly code?: unknown }
    const refused = error instanceof RefusedRowsError ? { refused: error.rows } : {}
    post({
      kind: 'failed',
      message: String(message ?? error).slice(0, messageLengthMax),
      code: String(code ?? 'FAILED'),
      ...refused,
    })
  } finally {
    rows = []
  }
}

/** Products have clients with connections, so they are kept. */
const known = new Map<string, ReturnType<typeof warehouseProducts>>()

function productOf(type: string, allowAddresses: readonly string[]): WarehouseProduct {
  const key = allowAddresses.join()
  const products = known.get(key) ?? warehouseProducts(allowAddresses)
  known.set(key, products)
  const product = products.find((each) => each.type === type)
  if (product === undefined) throw new Error(`no warehouse has the type ${type}`)
  return product
}

function loadIsWhole(load: readonly TableRow[] | undefined): void {
  rows = []
  whole?.(load)
}

process.on('message', (message: MessageToWorker) => {
  if (message.kind === 'begin') void begin(message.job, message.task)
  else if (message.kind === 'rows') for (const row of unpack(message.slice)) rows.push(row)
  else if (message.kind === 'load-is-whole') loadIsWhole(rows)
  else if (message.kind === 'no-more-loads') loadIsWhole(undefined)
  else if (message.kind === 'abort') stop.abort()
  else post({ kind: 'pong' })
})
// It gets no message any more; the one that started this one may also have ended before this line ran.
process.on('disconnect', leave)
if (!process.connected) leave()
// Signals of a terminal reach all its processes; the one that started this one says when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytesMax) end(`it took more than ${memoryBytesMax} bytes of memory`)
}, lookEveryMs)
process.on('unhandledRejection', (error) => end(`an error was not handled (${nameOf(error)})`))
process.on('uncaughtException', (error) => end(`an error was not handled (${nameOf(error)})`))

/** The message of an error may quote what a server sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error'
}
