/** The file name of our own guest code. Modules of users cannot have it: their names lose angle brackets. */
export const preludeName = '<sluice>'

/** What the prelude is told, as JSON. */
export interface PreludeSettings {
  readonly metadataKeys: readonly string[]
  readonly fanOutMax: number
  readonly outputCharsPerEvent: number
  readonly logCharsPerEvent: number
}

/**
 * Our half of the guest: runs before user code, sets up its globals, calls its entry point and turns what comes back
 * into JSON text. It takes hold of every built-in it uses first, because user code may overwrite any of them; whatever
 * user code breaks nevertheless, it breaks for its own batch only, and the host checks the answer.
 *
 * An answer is '' while a promise is pending, else JSON text: `{"log":[…],"outputs":[…]}` or
 * `{"log":[…],"error":{"code","name","message","stack"}}`. Code 'threw' means the user's exception, 'output' one met
 * while its result was turned into text, 'refused' a result that is against the rules. `isError` tells whether an
 * Error was thrown. An output that is not an object is null (transformBatch only).
 */
export const guestPrelude = `
(function (now, random, metadataText, settingsText) {
  const { apply, construct } = Reflect
  const { parse, stringify } = JSON
  const { isArray } = Array
  const tagOf = Object.prototype.toString
  const sliceText = String.prototype.slice
  const NativeError = Error
  const NativeString = String
  const NativeDate = Date
  const NativeMap = Map
  const NativePromise = Promise
  const getFrom = Map.prototype.get
  const setIn = Map.prototype.set
  const settings = parse(settingsText)
  const keys = settings.metadataKeys

  let entry
  let generation = 0
  let answer = ''
  let logText = ''
  let logRoom = settings.logCharsPerEvent

  const cut = (text, length) => (text.length > length ? apply(sliceText, text, [0, length]) : text)
  const isObject = (value) => apply(tagOf, value, []) === '[object Object]'
  const isThenable = (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    (value instanceof NativePromise || typeof value.then === 'function')

  function shown(value) {
    if (typeof value === 'string') return value
    if (value === null) return 'null'
    if (typeof value === 'function') return '[function]'
    if (typeof value !== 'object') return NativeString(value)
    try {
      if (value instanceof NativeError) return value.name + ': ' + value.message
      const text = stringify(value)
      if (typeof text === 'string') return text
    } catch {}
    return apply(tagOf, value, [])
  }

  function log(...values) {
    if (logRoom <= 0) return
    let line = ''
    for (let i = 0; i < values.length && line.length <= logRoom; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i])
    let quoted = stringify(line)
    if (quoted.length > logRoom) {
      quoted = stringify(cut(line, logRoom / 6) + ' [log limit reached]')
      logRoom = 0
    } else logRoom -= quoted.length
    logText += (logText === '' ? '' : ',') + quoted
  }

  function sendOut(text) {
    const whole = '{"log":[' + logText + '],' + text + '}'
    logText = ''
    return whole
  }

  function failure(code, thrown) {
    let isError = false
    let name = 'Error'
    let message = 'a value that cannot be read'
    let stack = ''
    try {
      isError = thrown instanceof NativeError
      if (isError) {
        name = cut('' + thrown.name, 200)
        message = cut('' + thrown.message, 2000)
        const frames = thrown.stack
        if (typeof frames === 'string') stack = cut(frames, 8000)
      } else message = cut(shown(thrown), 2000)
    } catch {}
    return '"error":{"code":"' + code + '","isError":' + isError + ',"isNullish":' + (thrown === null || thrown === undefined) +
      ',"name":' + stringify(name) + ',"message":' + stringify(message) + ',"stack":' + stringify(stack) + '}'
  }

  const refusal = (message) =>
    '"error":{"code":"refused","isError":false,"isNullish":false,"name":"","message":' + stringify(message) + ',"stack":""}'

  // Makes no difference but one: a call per value lets the time limit stop a result without end.
  const asItIs = (_, value) => value

  // The JSON text of an object; undefined when the value is none, or a toJSON of it gave something else.
  function objectText(value) {
    if (!isObject(value)) return undefined
    const text = stringify(value, asItIs)
    return typeof text === 'string' && text[0] === '{' ? text : undefined
  }

  // Non-objects become null when keepOthers, else refuse the whole list with that message.
  function listAnswer(list, inputCount, entryName, notObject, keepOthers) {
    const length = list.length
    const lengthMax = settings.fanOutMax * inputCount
    const charsMax = settings.outputCharsPerEvent * inputCount
    if (length > lengthMax)
      return refusal(entryName + ' returned ' + length + ' events, at most ' + lengthMax + ' are allowed')
    let texts = ''
    for (let i = 0; i < length; i += 1) {
      const text = objectText(list[i])
      if (text === undefined && !keepOthers) return refusal(notObject)
      texts += (i === 0 ? '' : ',') + (text === undefined ? 'null' : text)
      if (texts.length > charsMax) return refusal(entryName + ' returned more than ' + charsMax + ' bytes of JSON text')
    }
    return '"outputs":[' + texts + ']'
  }

  function eventAnswer(value) {
    try {
      if (value === null || value === undefined) return '"outputs":[]'
      const inArray = 'returned event in events array from transformEvent(event) is not an object'
      if (isArray(value)) return listAnswer(value, 1, 'transformEvent', inArray, false)
      const single = 'returned event from transformEvent(event) is not an object'
      return listAnswer({ length: 1, 0: value }, 1, 'transformEvent', single, false)
    } catch (thrown) {
      return failure('output', thrown)
    }
  }

  function batchAnswer(value, inputCount) {
    try {
      if (!isArray(value)) return refusal('returned events from transformBatch(event) is not an array')
      return listAnswer(value, inputCount, 'transformBatch', '', true)
    } catch (thrown) {
      return failure('output', thrown)
    }
  }

  // A promise that settles after its event was given up belongs to an older generation and is ignored.
  async function settle(value, mine, toAnswer) {
    let text
    try {
      text = toAnswer(await value)
    } catch (thrown) {
      text = failure('threw', thrown)
    }
    if (mine === generation) answer = text
  }

  function call(argument, metadata, toAnswer) {
    generation += 1
    answer = ''
    try {
      const value = entry(argument, metadata)
      if (!isThenable(value)) return sendOut(toAnswer(value))
      settle(value, generation, toAnswer)
      return ''
    } catch (thrown) {
      return sendOut(failure('threw', thrown))
    }
  }

  function metadataAt(index) {
    const known = index === undefined ? {} : parse(metadataText(index))
    const all = {}
    for (let i = 0; i < keys.length; i += 1) all[keys[i]] = known[keys[i]]
    return all
  }
  const idOf = (event) => (event === null || event === undefined ? event : event.messageId)
  const isNothing = (value) => value === null || value === undefined

  function runEvent(text, index) {
    logRoom = settings.logCharsPerEvent
    try {
      const event = parse(text)
      const id = idOf(event)
      const metadata = (about) => metadataAt(!isNothing(about) && idOf(about) === id ? index : undefined)
      return call(event, metadata, eventAnswer)
    } catch (thrown) {
      return sendOut(failure('threw', thrown))
    }
  }

  function runBatch(text) {
    try {
      const events = parse(text)
      const count = events.length
      logRoom = settings.logCharsPerEvent * count
      const indexes = new NativeMap()
      for (let i = 0; i < count; i += 1) apply(setIn, indexes, [idOf(events[i]), i])
      const metadata = (about) => metadataAt(isNothing(about) ? undefined : apply(getFrom, indexes, [idOf(about)]))
      return call(events, metadata, (value) => batchAnswer(value, count))
    } catch (thrown) {
      return sendOut(failure('threw', thrown))
    }
  }

  function takeAnswer() {
    return answer === '' ? '' : sendOut(answer)
  }

  const takeLog = () => sendOut('"outputs":[]')
  const describe = (thrown) => sendOut(failure('threw', thrown))

  // Takes the entry point; gives the names of those that were found.
  function attach(exported) {
    const ofEvent = exported.transformEvent
    const ofBatch = exported.transformBatch
    const hasEvent = typeof ofEvent === 'function'
    const hasBatch = typeof ofBatch === 'function'
    entry = hasEvent ? ofEvent : ofBatch
    return (hasEvent ? 'transformEvent' : '') + (hasEvent && hasBatch ? ',' : '') + (hasBatch ? 'transformBatch' : '')
  }

  const HostDate = function Date(...values) {
    if (new.target === undefined) return new NativeDate(now()).toString()
    return construct(NativeDate, values.length === 0 ? [now()] : values, new.target)
  }
  const define = (target, key, value, enumerable = false) =>
    Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true })
  Object.defineProperty(HostDate, 'prototype', { value: NativeDate.prototype, writable: false })
  Object.defineProperty(HostDate, 'length', { value: 7, configurable: true })
  define(HostDate, 'now', { now: () => now() }.now)
  define(HostDate, 'parse', NativeDate.parse)
  define(HostDate, 'UTC', NativeDate.UTC)
  define(NativeDate.prototype, 'constructor', HostDate)
  define(globalThis, 'Date', HostDate)
  define(Math, 'random', { random: () => random() }.random)
  define(globalThis, 'log', log)
  define(globalThis, 'console', { log, info: log, warn: log, error: log, debug: log })
  define(globalThis, 'global', globalThis)
  // Growable shared memory reads and writes outside its allocation in this engine build.
  delete globalThis.SharedArrayBuffer
  delete globalThis.Atomics

  return { runEvent, runBatch, takeAnswer, takeLog, describe, attach }
})
`
