import { detectors } from '@sluice/core'
import { createPiiFinder, type PiiKind, piiKinds } from '@sluice/pii'
import { createPersonalDataMask, hiddenValue } from '../observe/personal-data.ts'
import { hasPlanFormat } from '../tracking-plan/formats/plan-format.ts'

/** Formats that are looked for, the narrowest first. A plan checks them by the same rules. */
const textFormats = ['uuid', 'email', 'date', 'date-time', 'uri'] as const
type TextFormat = (typeof textFormats)[number]

/** Most different texts that are kept of a place. With more, its texts are no choice of a few. */
const distinctMax = 50
/** Longer texts are written by people, and are no choice of a few. */
const valueLengthMax = 100
/** Fewest texts from which a format is concluded. */
const formatTextsMin = 5

const find = createPiiFinder(new Set(piiKinds))
const mask = createPersonalDataMask({ maskPaths: [], detectors })
/** What the catalogue stores in place of personal data, and the kind it had. */
const masked = /\[(email|phone|card|ip)\]/g

/** What is known of the texts at one place of events. */
export class TextFacts {
  /** Kinds of personal data that were found, such as `email`. */
  readonly personal = new Set<string>()
  #seen = 0
  #values: Map<string, number> | undefined = new Map()
  #formats: readonly TextFormat[] = textFormats

  /** Adds a text that was seen some times, or what the catalogue stores of it. */
  add(text: string, times = 1): void {
    this.#seen += times
    for (const kind of kindsIn(text)) this.personal.add(kind)
    // Of a text that is all e-mail address, the catalogue stores only that.
    this.#formats = this.#formats.filter((format) => (text === '[email]' ? format === 'email' : has(format, text)))
    this.#count(text, times)
  }

  /** Notes that there were texts that are not known. */
  addUnknown(): void {
    this.#values = undefined
  }

  /** Returns the format that all texts have; undefined when there is none, or with fewer than five texts. */
  get format(): TextFormat | undefined {
    return this.#seen < formatTextsMin ? undefined : this.#formats[0]
  }

  /** Returns how often each text was seen; undefined when there were too many, long or unknown ones. */
  get values(): ReadonlyMap<string, number> | undefined {
    return this.#values
  }

  #count(text: string, times: number): void {
    if (this.#values === undefined) return
    const known = this.#values.get(text)
    if (known === undefined && (this.#values.size >= distinctMax || text.length > valueLengthMax))
      this.#values = undefined
    else this.#values.set(text, (known ?? 0) + times)
  }
}

function has(format: TextFormat, text: string): boolean {
  // Any word with a colon behind it is a URI; only addresses of the web are meant.
  if (format === 'uri' && !/^https?:\/\//.test(text)) return false
  return hasPlanFormat(format, text)
}

function kindsIn(text: string): readonly string[] {
  if (text === hiddenValue) return ['masked']
  const inMasked = [...text.matchAll(masked)].map(([, kind = '']) => kind)
  // Most texts have none, which the mask finds out quickly.
  const found = mask.value(text) === text ? [] : find(text).map(({ kind }) => nameOfKind(kind))
  return [...inMasked, ...found]
}

function nameOfKind(kind: PiiKind): string {
  return kind === 'ipv4' || kind === 'ipv6' ? 'ip' : kind
}
