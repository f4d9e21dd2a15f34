/** Something that failed events share, and others of the same name do not. */
interface CommonTrait {
  readonly path: string
  /** What is so, such as `missing`, `text`, or a value. */
  readonly what: string
  readonly isValue: boolean
  /** How many of the failed events, and which share of the others. */
  readonly count: number
  readonly shareOfOthers: number
}

type Event = Readonly<Record<string, unknown>>

/** Members that differ between any two events, and are no cause. */
const ofOneEvent =
  /^(messageId|rudderId|serviceId|userId|anonymousId|request_ip|receivedAt|sentAt|timestamp|originalTimestamp)$/
const pathsMax = 500
const depthMax = 6
const valueLength = 60
/** How much more frequent a trait must be among the failed ones than among the others. */
const leastDifference = 0.3
const traitsMax = 5

/** Returns what failed events have in common, compared with others: the clearest difference first. */
export function inCommon(failed: readonly Event[], others: readonly Event[]): readonly CommonTrait[] {
  if (failed.length === 0 || others.length === 0) return []
  const [ours, theirs] = [failed.map(traitsOf), others.map(traitsOf)]
  const shareIn = (all: readonly ReadonlySet<string>[], trait: string): number =>
    all.reduce((sum, traits) => sum + (traits.has(trait) ? 1 : 0), 0) / all.length
  const found: (CommonTrait & { readonly difference: number })[] = []
  const add = (trait: Trait, share: number, shareOfOthers: number): void => {
    if (share - shareOfOthers < leastDifference) return
    found.push({
      ...trait,
      count: Math.round(share * failed.length),
      shareOfOthers,
      difference: share - shareOfOthers,
    })
  }
  for (const key of new Set([...ours, ...theirs].flatMap((traits) => [...traits]))) {
    const trait = JSON.parse(key) as Trait
    const [share, shareOfOthers] = [shareIn(ours, key), shareIn(theirs, key)]
    if (trait.what === 'there') add({ ...trait, what: 'missing' }, 1 - share, 1 - shareOfOthers)
    add(trait, share, shareOfOthers)
  }
  return found
    .sort((a, b) => b.difference - a.difference || a.path.length - b.path.length)
    .filter((trait, place, all) => !all.slice(0, place).some((other) => isSaidBy(trait, other)))
    .slice(0, traitsMax)
}

type Trait = Pick<CommonTrait, 'path' | 'what' | 'isValue'>

/** Whether a trait adds nothing to one before it: of the same member, or of a member inside it. */
function isSaidBy(trait: Trait, other: Trait): boolean {
  return trait.path === other.path || trait.path.startsWith(`${other.path}.`)
}

/** Returns which members an event has, their types and short values, as texts. */
function traitsOf(event: Event): ReadonlySet<string> {
  const traits = new Set<string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (traits.size > pathsMax) return
    if (path !== '') {
      traits.add(JSON.stringify({ path, what: 'there', isValue: false }))
      traits.add(JSON.stringify({ path, what: typeName(value), isValue: false }))
    }
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value) || depth >= depthMax) return
      for (const [name, member] of Object.entries(value))
        if (path !== '' || !ofOneEvent.test(name)) visit(member, path === '' ? name : `${path}.${name}`, depth + 1)
      return
    }
    const text = String(value)
    // What is masked is the same everywhere.
    if (text.length <= valueLength && !/^\[.*\]$/.test(text))
      traits.add(JSON.stringify({ path, what: text, isValue: true }))
  }
  visit(event, '', 0)
  return traits
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return (
    { string: 'text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? ''
  )
}
