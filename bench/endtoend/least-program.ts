import { createServer } from 'node:http'
import { join } from 'node:path'
import { createPost } from './create-post.ts'
import { openDatabase } from './open-database.ts'

export interface LeastProgramSetup {
  /** Where it keeps its file. */
  readonly folder: string
  readonly port: number
  /** Where it sends each event. */
  readonly receiver: string
}

const callsAtATime = 20
const requestsAtATime = 8

/**
 * The least that a Node program can do to take calls in durably and send each event once: one row with the body of each call, one
 * commit for calls that came together, a cursor, one request per event. It has no catalogue, counters, receipts,
 * suppression, order of users, or retries. What Sluice costs is compared with it.
 */
function start({ folder, port, receiver }: LeastProgramSetup): void {
  const db = openDatabase(join(folder, 'least.db'))
  for (const each of ['locking_mode=exclusive', 'journal_mode=wal', 'synchronous=full', 'wal_autocheckpoint=4000'])
    db.pragma(each)
  db.exec(`create table log (position integer primary key, body blob);
    create table cursor (id integer primary key, position integer);
    insert into cursor values (1, 0)`)
  const insert = db.prepare('insert into log (body) values (?)')
  const move = db.prepare('update cursor set position = ? where id = 1')
  const read = db.prepare('select position, body from log where position > ? order by position limit ?')
  let calls: { readonly bytes: Buffer; stored(): void }[] = []
  let moved: { readonly position: number; stored(): void } | undefined
  let isPlanned = false
  let wake = (): void => {}

  /** Stores what has come together in one transaction. */
  const commit = (): void => {
    const [stored, cursor] = [calls, moved]
    isPlanned = false
    calls = []
    moved = undefined
    db.exec('begin immediate')
    for (const { bytes } of stored) insert.run(bytes)
    if (cursor) move.run(cursor.position)
    db.exec('commit')
    for (const each of stored) each.stored()
    cursor?.stored()
    if (stored.length > 0) wake()
  }
  const plan = (): void => {
    if (!isPlanned) setImmediate(commit)
    isPlanned = true
  }
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      JSON.parse(bytes.toString())
      calls.push({ bytes, stored: () => void response.writeHead(200, { 'content-type': 'text/plain' }).end('OK') })
      plan()
    })
  }).listen(port, '127.0.0.1')

  const post = createPost(receiver, requestsAtATime)
  const deliver = async (): Promise<never> => {
    for (let position = 0; ; ) {
      const rows = read.all(position, callsAtATime) as { readonly position: number; readonly body: Buffer }[]
      const last = rows.at(-1)
      if (last === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const events = rows.flatMap(({ body }) => (JSON.parse(body.toString()) as { batch: unknown[] }).batch)
      let next = 0
      const sendRest = async (): Promise<void> => {
        while (next < events.length) {
          next += 1
          await post(JSON.stringify(events[next - 1]))
        }
      }
      await Promise.all(Array.from({ length: requestsAtATime }, sendRest))
      position = last.position
      await new Promise<void>((stored) => {
        moved = { position, stored }
        plan()
      })
    }
  }
  void deliver()
}

start(JSON.parse(process.argv[2] ?? '') as LeastProgramSetup)
