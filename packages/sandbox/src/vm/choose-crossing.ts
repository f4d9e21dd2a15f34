import { InvariantError } from '@sluice/core'
import { indexOfBytes } from '@sluice/core/bytes'
import type { QuickJSContext } from 'quickjs-emscripten-core'
import { binaryCrossing } from '../crossing/binary-crossing.ts'
import type { Crossing } from '../crossing/crossing.ts'
import { textCrossing } from '../crossing/text-crossing.ts'
import { createEngine, type EngineBuild } from './engine/engine.ts'
import { MemoryImage } from './engine/memory-image.ts'

const memoryBytes = 32 * 1024 * 1024
const limits = { depthMax: 20, valuesMax: 1_000, charsMax: 100_000 }

/** One value of each kind and length, with keys that are numbers or look like numbers. */
const sample = {
  '': [null, true, false, 0, 1, -1, 63, -64, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 0.1, -1.5e300],
  text: [
    '',
    'a',
    'é',
    'Ω',
    '\u{1f600}',
    '\ud800',
    'a\0b',
    'x'.repeat(13),
    'y'.repeat(200),
    'ü'.repeat(90),
    'ж'.repeat(90),
  ],
  1: 'one',
  '01': 'not a number',
  4294967294: 'large',
  nested: { text: [[], {}], ключ: { text: 1 } },
}

/** An expression for a guest value that is not plain JSON; its JSON form follows. */
const guestValue =
  '[undefined, NaN, -0, new Date(0), Object("b"), new Uint8Array([1, 2]), { a: undefined, b: Infinity }]'
const guestValueAsJson = '[null,null,0,"1970-01-01T00:00:00.000Z","b",{"0":1,"1":2},{"b":null}]'

const chosen = new WeakMap<EngineBuild, Promise<Crossing>>()

/**
 * Checks, once per build, that this build of the engine is the one that the sandbox was made for.
 * @returns the binary crossing if the engine's object format is as expected, otherwise the text crossing.
 * @throws InvariantError when restoring a memory image does not restore every byte, because isolation depends on that.
 */
export function chooseCrossing(build: EngineBuild): Promise<Crossing> {
  const known = chosen.get(build) ?? check(build)
  chosen.set(build, known)
  return known
}

export function crossingNamed(name: Crossing['name']): Crossing {
  return name === binaryCrossing.name ? binaryCrossing : textCrossing
}

async function check(build: EngineBuild): Promise<Crossing> {
  const engine = await createEngine(build, memoryBytes)
  const context = engine.quickjs.newContext()
  const number = (code: string): number => {
    const result = context.evalCode(code)
    if (result.error) throw new InvariantError('the engine does not run the self-check of the sandbox')
    return result.value.consume((handle) => context.getNumber(handle))
  }
  const isBinary = speaksTheFormat(context)
  // The cases that break most easily: memory that is all zero when the image is taken and is written afterwards, in an
  // area that is small and in one that enlarges the heap.
  number('globalThis.kept = new Uint8Array(65536); globalThis.count = 1')
  void [context.undefined, context.global]
  const image = MemoryImage.take(engine)
  number('kept.fill(7); count = 2; globalThis.more = new Uint8Array(4000000).fill(7); 1')
  const restored = image.restore(engine)
  const left = number('kept.reduce((a, b) => a + b) + (count - 1) + (typeof more === "undefined" ? 0 : 1)')
  const sevens = indexOfBytes(engine.bytes(), new Uint8Array(64).fill(7))
  if (!restored || left !== 0 || sevens !== -1) throw new InvariantError('the memory of the engine cannot be restored')
  return isBinary ? binaryCrossing : textCrossing
}

/** Returns whether the engine reads and writes the format that the encoder and the decoder use. */
function speaksTheFormat(context: QuickJSContext): boolean {
  try {
    const crossing = binaryCrossing.link(context)
    const encoder = binaryCrossing.createEncoder()
    const decoder = binaryCrossing.createDecoder()
    encoder.append(sample)
    const there = crossing.toGuest(encoder.take(), true)
    const made = context.unwrapResult(context.evalCode(guestValue))
    const texts = [there, made].map((handle) => {
      const bytes = crossing.fromGuest(handle, true)
      const decoded = bytes && decoder.decode(bytes, 0, bytes.length, limits)
      return decoded?.ok ? JSON.stringify(decoded.value) : ''
    })
    const seen = context.unwrapResult(context.callFunction(stringifyOf(context), context.undefined, there))
    const isSame = context.getString(seen) === JSON.stringify(sample)
    return isSame && texts[0] === JSON.stringify(sample) && texts[1] === guestValueAsJson
  } catch {
    return false
  }
}

function stringifyOf(context: QuickJSContext) {
  return context.unwrapResult(context.evalCode('JSON.stringify'))
}
