import { request } from './request.ts'

/** More pages than that are not shown: 100 pages have 10,000 records. */
const pagesMax = 100

interface Page {
  readonly paging?: { readonly next?: string }
}

/** Reads all pages of a list, at most 100. @param member of the answer that has the records. */
export async function readAll<Record>(path: string, member: string, signal: AbortSignal): Promise<readonly Record[]> {
  const records: Record[] = []
  let next: string | undefined = path
  for (let page = 0; next !== undefined && page < pagesMax; page += 1) {
    const answer: Page & Readonly<{ [member: string]: unknown }> = await request(next, { signal })
    records.push(...((answer[member] ?? []) as readonly Record[]))
    next = answer.paging?.next || undefined
  }
  return records
}
