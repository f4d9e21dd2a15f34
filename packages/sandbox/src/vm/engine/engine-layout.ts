import { InvariantError } from '@sluice/core'
import { areSame, bytesOf, indexOfBytes } from '@sluice/core/bytes'
import type { QuickJSWASMModule } from 'quickjs-emscripten-core'
import type { WasmMemory } from './web-assembly.ts'

/** Addresses in the memory of the engine, in bytes. */
export interface EngineLayout {
  /** Address of the word that contains the end of the heap. */
  readonly heapEndAt: number
  /** The engine's own stack, in whole pages; it grows downwards. Between two calls it contains no live data. */
  readonly stackStart: number
  readonly stackEnd: number
}

export const imagePageBytes = 4_096

const stackBytes = 5 * 1024 * 1024
const probeBytes = 3 * 1024 * 1024
const marker = 'where the stack of the engine begins'

/**
 * Finds the layout with a temporary instance, because probing would enlarge the heap of the instance in use. The word
 * that holds the end of the heap is found in the static data: its value moves past a large block when that is
 * allocated. The start of the stack is found with a string argument, which is passed on the stack.
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
  const candidates: number[] = []
  // A loop, because there are millions of words, and every start waits for it.
  for (let i = 0; i < after.length; i += 1) {
    const from = before[i] ?? 0
    const to = after[i] ?? 0
    const isPlausible = from >= stackEnd && from <= length && to <= memory.buffer.byteLength
    // The heap end must stay there after the block is freed: if it moved back, no image would restore the bytes beyond
    // it.
    if (isPlausible && to - from >= probeBytes && to % imagePageBytes === 0 && later[i] === to) candidates.push(i)
  }
  const [word] = candidates
  if (word === undefined || candidates.length !== 1 || stackStart <= 0) throw new InvariantError(unknownBuild)
  return { heapEndAt: word * 4, stackStart, stackEnd }
}

// The arguments of the first call are the highest data on the stack.
function topOfMarker(bytes: Uint8Array): number {
  const text = bytesOf(`${marker}\0`)
  const untouched = new Uint8Array(stackBytes / 2)
  for (let at = indexOfBytes(bytes, text); at !== -1; at = indexOfBytes(bytes, text, at + 1)) {
    // A stack of this size would end at `top`, and everything below the marker is still untouched.
    const top = Math.ceil((at + text.length) / 16) * 16
    const deep = top - stackBytes + imagePageBytes
    if (deep > 0 && areSame(bytes, deep, untouched, 0, untouched.length)) return top
  }
  throw new InvariantError(unknownBuild)
}

const unknownBuild = 'the memory of this build of the engine does not have the layout that the sandbox requires'
