import { InvariantError } from '@sluice/core'
import type { QuickJSWASMModule } from 'quickjs-emscripten'
import type { WasmMemory } from './web-assembly.ts'

/** Where things lie in the memory of the engine, as addresses in bytes. */
export interface EngineLayout {
  /** The word that holds the end of the heap. */
  readonly heapEndAt: number
  /** The engine's own stack, which grows downwards; whole pages. Between two calls nothing in it is alive. */
  readonly stackStart: number
  readonly stackEnd: number
}

export const imagePageBytes = 4_096

const stackBytes = 5 * 1024 * 1024
const probeBytes = 3 * 1024 * 1024
const marker = 'where the stack of the engine begins'

/**
 * Finds the layout on an instance that is thrown away afterwards: probing the working one would leave it with a larger
 * heap. The end of the heap is the word of the static data that moves past a large allocation; the beginning of the stack
 * is shown by a string argument, which crosses on it.
 * @throws InvariantError when this is not the build that the sandbox was made for.
 */
export function findLayout(quickjs: QuickJSWASMModule, memory: WasmMemory): EngineLayout {
  const context = quickjs.newContext()
  context.newError(marker).dispose()
  context.newFunction(marker, () => {}).dispose()
  const stackTop = topOfMarker(new Uint8Array(memory.buffer))
  const stackStart = Math.ceil((stackTop - stackBytes) / imagePageBytes) * imagePageBytes
  const stackEnd = Math.floor(stackTop / imagePageBytes) * imagePageBytes

  const before = new Uint32Array(memory.buffer.slice(0, stackStart))
  const length = memory.buffer.byteLength
  const block = context.newArrayBuffer(new ArrayBuffer(probeBytes))
  const after = new Uint32Array(memory.buffer.slice(0, stackStart))
  block.dispose()
  const later = new Uint32Array(memory.buffer, 0, stackStart / 4)
  const candidates = [...after.keys()].filter((i) => {
    const [from = 0, to = 0] = [before[i], after[i]]
    const isPlausible = from >= stackEnd && from <= length && to <= memory.buffer.byteLength
    // A heap end that went back would leave bytes behind it that no image restores.
    return isPlausible && to - from >= probeBytes && to % imagePageBytes === 0 && later[i] === to
  })
  const [word] = candidates
  if (word === undefined || candidates.length !== 1 || stackStart <= 0) throw new InvariantError(unknownBuild)
  return { heapEndAt: word * 4, stackStart, stackEnd }
}

// Of what lies on the stack, the first call's arguments lie highest.
function topOfMarker(bytes: Uint8Array): number {
  const text = Buffer.from(`${marker}\0`)
  const memory = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = memory.indexOf(text); at !== -1; at = memory.indexOf(text, at + 1)) {
    // A stack of this size ends there, and everything below it is still untouched.
    const top = Math.ceil((at + text.length) / 16) * 16
    const deep = top - stackBytes + imagePageBytes
    if (deep > 0 && memory.subarray(deep, deep + stackBytes / 2).every((byte) => byte === 0)) return top
  }
  throw new InvariantError(unknownBuild)
}

const unknownBuild = 'the memory of this build of the engine is not laid out as the sandbox needs it'
