import { bytesOf, textOf, utf8Length } from '@sluice/core/bytes'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { Crossing, DocumentDecoder, DocumentEncoder } from './crossing.ts'
import type { Decoded, DecodeLimits } from './decoder.ts'
import { type AnswerSize, cutLog, type DocumentMeter, type Size } from './document-meter.ts'
import { EncodeError } from './encoder.ts'
import { joinBytes } from './join-bytes.ts'

/**
 * Passes values as JSON text. Slower by some 25 µs per event, but works with any build of the engine. Used when the
 * binary format is not the one that binary-crossing.ts supports.
 */
export const textCrossing: Crossing = {
  name: 'text',
  createEncoder: () => new TextDocumentEncoder(),
  createDecoder: () => textDocumentDecoder,
  createMeter: () => textDocumentMeter,
  link: (context) => {
    const parse = functionOf(context, 'JSON.parse')
    const stringify = functionOf(context, 'JSON.stringify')
    return {
      toGuest: (bytes) => {
        const text = context.newString(textOf(bytes))
        const result = context.callFunction(parse, context.undefined, text)
        text.dispose()
        // The guest then reads the exception in place of the value.
        return result.error ?? result.value
      },
      fromGuest: (value) => {
        const result = context.callFunction(stringify, context.undefined, value)
        if (result.error || context.typeof(result.value) !== 'string') {
          result.dispose()
          return undefined
        }
        const text = result.value.consume((handle) => context.getString(handle))
        return bytesOf(text)
      },
    }
  },
}

function functionOf(context: QuickJSContext, name: string): QuickJSHandle {
  return context.unwrapResult(context.evalCode(name))
}

class TextDocumentEncoder implements DocumentEncoder {
  #parts: Uint8Array<ArrayBuffer>[] = []
  #length = 0
  #elements: string[] = []
  #listBytes = 0

  get length(): number {
    return this.#length
  }

  get listBytes(): number {
    return this.#listBytes
  }

  append(value: unknown): void {
    this.#add(jsonOf(value))
  }

  beginList(): void {
    this.#elements = []
    this.#listBytes = 2
  }

  element(value: unknown): EncodeError | undefined {
    try {
      const text = jsonOf(value)
      this.#elements.push(text)
      this.#listBytes += text.length + 1
      return undefined
    } catch (thrown) {
      if (!(thrown instanceof EncodeError)) throw thrown
      this.#elements.push('null')
      return thrown
    }
  }

  endList(): void {
    this.#add(`[${this.#elements.join()}]`)
  }

  take(): Uint8Array<ArrayBuffer> {
    const bytes = joinBytes(this.#parts)
    this.#parts = []
    this.#length = 0
    return bytes
  }

  #add(text: string): void {
    const bytes = bytesOf(text)
    this.#parts.push(bytes)
    this.#length += bytes.length
  }
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (thrown) {
    throw new EncodeError(thrown instanceof RangeError ? 'nested too deeply' : String(thrown))
  }
}

const textDocumentDecoder: DocumentDecoder = {
  decode: (bytes, start, end, limits) => {
    const parsed = parsedText(bytes, start, end)
    return parsed.ok ? counted(parsed.value, limits) : parsed
  },
  decodeList: (bytes, start, end, limits, take) => {
    const parsed = parsedText(bytes, start, end)
    if (!parsed.ok) return { isApart: true, refused: parsed.message }
    if (!Array.isArray(parsed.value)) return { isApart: true, refused: malformed }
    for (const element of parsed.value) {
      const one = counted(element, limits)
      if (!one.ok) return { isApart: true, refused: one.message }
      take(one.value, one.chars)
    }
    return { isApart: true }
  },
  openList: (bytes, start, end, limits) => {
    const parsed = parsedText(bytes, start, end)
    const elements = parsed.ok && Array.isArray(parsed.value) ? parsed.value.values() : undefined
    let refused = elements === undefined ? malformed : undefined
    return {
      get refused() {
        return refused
      },
      next: () => {
        const element = refused === undefined ? elements?.next() : undefined
        if (element === undefined || element.done) return undefined
        const one = counted(element.value, limits)
        if (one.ok) return { value: one.value }
        refused = one.message
        return undefined
      },
    }
  },
  release: () => {},
}

/** Parses and measures the text of a document. That is slow, but only documents near a limit are measured. */
const textDocumentMeter: DocumentMeter = {
  mayExceed: (bytes, jsonBytes) => bytes.length > jsonBytes,
  keyCount: () => 0,
  value: (bytes) => {
    const parsed = parsedText(bytes, 0, bytes.length)
    return parsed.ok ? sizeOf(parsed.value) : undefined
  },
  answer: (bytes) => answerSize(listIn(bytes)),
  answers: (bytes) => {
    const sizes = listIn(bytes)?.map((answer) => answerSize(Array.isArray(answer) ? answer : undefined))
    return sizes?.every((size) => size !== undefined) ? sizes : undefined
  },
  withoutLog: (bytes) => {
    const answer = listIn(bytes)
    return answer && bytesOfJson([answer[0], cutLog, ...answer.slice(2)])
  },
  logOnly: (bytes, kind) => {
    const answer = listIn(bytes)
    return answer && bytesOfJson([answer[0], answer[1], kind])
  },
}

function listIn(bytes: Uint8Array): readonly unknown[] | undefined {
  const parsed = parsedText(bytes, 0, bytes.length)
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value : undefined
}

const bytesOfJson = (value: unknown): Uint8Array<ArrayBuffer> => bytesOf(JSON.stringify(value))

function answerSize(answer: readonly unknown[] | undefined): AnswerSize | undefined {
  const [index, log, kind, ...outputs] = answer ?? []
  if (typeof index !== 'number' || typeof log !== 'string' || typeof kind !== 'number') return undefined
  const largest = { jsonBytes: 0, values: 0 }
  for (const output of outputs) {
    const { jsonBytes, values } = sizeOf(output)
    largest.jsonBytes = Math.max(largest.jsonBytes, jsonBytes)
    largest.values = Math.max(largest.values, values)
  }
  const { jsonBytes, values } = sizeOf(outputs)
  return { kind, outputs: { jsonBytes, values: values - 1 }, largest, keyBytes: 0 }
}

function sizeOf(value: unknown): Size {
  const work = [value]
  let values = 0
  for (let one = work.pop(); one !== undefined; one = work.pop()) {
    values += 1
    if (typeof one === 'object' && one !== null) for (const member of Object.values(one)) work.push(member)
  }
  return { jsonBytes: utf8Length(JSON.stringify(value) ?? 'null'), values }
}

function parsedText(bytes: Uint8Array, start: number, end: number): Decoded {
  try {
    const text = textOf(bytes.subarray(start, end))
    return { ok: true, value: JSON.parse(text), chars: 0 }
  } catch {
    return { ok: false, message: malformed }
  }
}

const malformed = 'Error: the returned value cannot be read'

/** Applies the same limits as the binary decoder. */
function counted(value: unknown, limits: DecodeLimits): Decoded {
  let values = limits.valuesMax
  let chars = limits.charsMax
  const visit = (one: unknown, depth: number): string | undefined => {
    values -= 1
    chars -= typeof one === 'string' ? one.length + 1 : 1
    if (values < 0) return 'RangeError: the returned value holds too many values'
    if (typeof one === 'object' && one !== null) {
      if (depth >= limits.depthMax)
        return `RangeError: the returned value is nested deeper than ${limits.depthMax} levels`
      for (const key of Object.keys(one)) {
        if (!Array.isArray(one)) chars -= key.length
        const refused = visit((one as Record<string, unknown>)[key], depth + 1)
        if (refused !== undefined) return refused
      }
    }
    return chars < 0 ? 'RangeError: the returned value is too long' : undefined
  }
  const refused = visit(value, 0)
  return refused === undefined ? { ok: true, value, chars: limits.charsMax - chars } : { ok: false, message: refused }
}
