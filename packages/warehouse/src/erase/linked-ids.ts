import { Bound, type Statement, sql } from '../engines/sql/statement.ts'
import { type IdFamily, storedId } from '../ids/id-family.ts'
import type { ErasureStore, TablePart } from './erasure-store.ts'
import { conditionsOf, findIds, usersByKey, type WantedIds } from './find-ids.ts'
import { isOneOf, type Misfits } from './misfits.ts'
import { rowIdOf, type SearchColumn, searchColumns } from './search-columns.ts'

/** Anonymous ids that are searched together. */
const linksMax = 10_000
/** Those that are read at a time. More than the rows of a query by their ids. */
const pageRows = 5_000

/** Anonymous ids of users, and the text after which further ones follow. */
interface LinkedIds {
  readonly ids: WantedIds
  readonly next: string | undefined
}

/** Reads anonymous ids that rows of `identifies` link to users, so many at a time as memory should hold. */
export class Links {
  readonly #store: ErasureStore
  readonly #misfits: Misfits
  readonly #table: string
  readonly #wanted: WantedIds

  constructor(store: ErasureStore, misfits: Misfits, table: string, wanted: WantedIds) {
    this.#store = store
    this.#misfits = misfits
    this.#table = table
    this.#wanted = wanted
  }

  /** @param after the `next` of the last call; '' for the first. */
  async read(after: string): Promise<LinkedIds> {
    const page = new LinkPage(after)
    await this.#store.eachPart(this.#table, async (part) => {
      const columns = await searchColumns(this.#store, this.#table, part)
      const users = columns.filter(({ kind }) => kind === 'user')
      const anonymous = columns.filter(({ kind }) => kind === 'anonymous')
      for (const user of users) for (const each of anonymous) await this.#ofPart(part, user, each, page)
    })
    return page.take()
  }

  async #ofPart(part: TablePart, user: SearchColumn, anonymous: SearchColumn, page: LinkPage): Promise<void> {
    const { sql: words } = this.#store
    const { place } = user
    const { family, column: anonymousId } = anonymous.place
    const linked = words.text(anonymousId, family)
    const id = rowIdOf(part, words)
    const misfit = id && this.#misfits.of(this.#table, anonymous.name)
    const withMisfits = misfit && sql`${part.from} join (${this.#misfits.values(misfit)}) m on ${id} = m.sluice_r`
    for await (const found of findIds(this.#store, place, this.#wanted))
      for (const belongs of conditionsOf(found, words)) {
        const users = usersByKey(found)
        const isLinked = sql`${belongs} and ${anonymousId} is not null`
        await this.#add(page, users, family, found.key, linked, sql`${part.from}`, isLinked)
        if (withMisfits) await this.#add(page, users, 'text', found.key, 'm.sluice_v', withMisfits, belongs)
      }
    const unlinked = this.#misfits.of(this.#table, user.name)
    if (id === undefined || unlinked === undefined) return
    for await (const rows of this.#misfits.rowsOf(unlinked, this.#wanted))
      for (const isRow of isOneOf(id, [...rows.keys()], words.valuesMax)) {
        const isTheirs = sql`${isRow} and ${place.column} is null`
        const isLinked = sql`${isTheirs} and ${anonymousId} is not null`
        await this.#add(page, rows, family, id, linked, sql`${part.from}`, isLinked)
        if (withMisfits) await this.#add(page, rows, 'text', id, 'm.sluice_v', withMisfits, isTheirs)
      }
  }

  async #add(
    page: LinkPage,
    users: WantedIds,
    family: IdFamily,
    key: string,
    linked: string,
    from: Statement,
    condition: Statement,
  ): Promise<void> {
    const rest = page.after === '' ? sql`` : sql` and ${linked} > ${new Bound(page.after)}`
    const rows = await this.#store.rows(
      sql`select ${key} as k, ${linked} as v from ${from} where ${condition}${rest} group by 1, 2 order by 2, 1 limit ${String(pageRows)}`,
    )
    for (const { k, v } of rows) if (v != null) page.add(v, storedId(v, family), users.get(k ?? '') ?? [])
    const last = rows.at(-1)?.['v']
    if (rows.length === pageRows && last != null) page.endBefore(last)
  }
}

/** Collects anonymous ids in the order of their texts. Forgets the last ones when there are too many. */
class LinkPage {
  readonly after: string
  readonly #byText = new Map<string, Map<string, Set<number>>>()
  /** Texts from here on are left to the next page. */
  #end: string | undefined

  constructor(after: string) {
    this.after = after
  }

  add(text: string, id: string, users: Iterable<number>): void {
    if (id === '' || (this.#end !== undefined && !isBefore(text, this.#end))) return
    const ids = this.#byText.get(text) ?? new Map<string, Set<number>>()
    const known = ids.get(id) ?? new Set()
    for (const user of users) known.add(user)
    this.#byText.set(text, ids.set(id, known))
    if (this.#byText.size <= linksMax) return
    const middle = [...this.#byText.keys()].sort((a, b) => (isBefore(a, b) ? -1 : 1))[linksMax / 2]
    if (middle !== undefined) this.endBefore(middle)
  }

  endBefore(text: string): void {
    if (this.#end !== undefined && !isBefore(text, this.#end)) return
    this.#end = text
    for (const known of this.#byText.keys()) if (!isBefore(known, text)) this.#byText.delete(known)
  }

  take(): LinkedIds {
    const ids = new Map<string, Set<number>>()
    let last = ''
    for (const [text, ofText] of this.#byText) {
      if (isBefore(last, text)) last = text
      for (const [id, users] of ofText) {
        const known = ids.get(id) ?? new Set()
        for (const user of users) known.add(user)
        ids.set(id, known)
      }
    }
    return { ids, next: this.#end === undefined ? undefined : last }
  }
}

/** As databases order texts that are compared byte by byte. */
function isBefore(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
}
