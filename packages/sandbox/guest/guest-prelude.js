// @ts-check
// biome-ignore-all lint/style/useTemplate: the engine makes a template by String.prototype.concat, which user code may replace
// biome-ignore-all lint/complexity/useMathMinMax: user code may replace Math.min

/** @typedef {readonly [0, unknown] | readonly [1, name: string, message: string]} Reply */
/** @typedef {(name: string, args: readonly unknown[]) => Reply | undefined} HostFunction */
/** @typedef {{ value: object, depth: number, next: Work | undefined }} Work */

/**
 * Our own code inside the guest. It runs before user code, sets up the globals, calls the entry point of user code and
 * holds the results until the host takes them. It saves every built-in it uses, because user code may overwrite any of
 * them. It writes only to own properties and to lists without a prototype, because user code may define setters on
 * shared prototypes, and such a setter would get our list as `this`. If user code breaks something nevertheless, only
 * its own batch is affected, and the host checks the answers. (Plain writes to objects that user code gets anyway, its
 * metadata, are not protected.)
 *
 * An answer is `[index, log, kind, ...rest]`: the index of the event, the log since the last answer (the JSON texts of
 * the lines, joined by commas), and for kind
 * - 0 the returned events (transformBatch: null for a non-object),
 * - 1 `code, isError, isNullish, name, message, stack` of an exception. Code 'threw' is an exception of user code,
 *   'output' one that occurred while reading its result, 'refused' a result that breaks the rules,
 * - 2 nothing: the answer has only a log.
 */
;(
  /** @type {() => number} */ now,
  /** @type {() => ArrayBuffer} */ randoms,
  /** @type {HostFunction} */ hostCall,
  /** @type {HostFunction} */ startHostCall,
  /** @type {string} */ settingsText,
) => {
  const { apply, construct, ownKeys } = Reflect
  const { parse, stringify } = JSON
  const { isArray } = Array
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Object
  const { toStringTag } = Symbol
  const plainPrototype = Object.prototype
  const tagOf = Object.prototype.toString
  const textOf = Function.prototype.toString
  const sliceText = String.prototype.slice
  const execPattern = RegExp.prototype.exec
  const NativeError = Error
  const NativeTypeError = TypeError
  const NativeRangeError = RangeError
  const NativeString = String
  const NativeDate = Date
  const NativeMap = Map
  const NativeSet = Set
  const NativePromise = Promise
  const NativeNumbers = Float64Array
  const getFrom = Map.prototype.get
  const setIn = Map.prototype.set
  const deleteFrom = Map.prototype.delete
  const clearMap = Map.prototype.clear
  const addTo = Set.prototype.add
  const isIn = Set.prototype.has
  /** @type {import('../src/vm/guest/prelude.ts').PreludeSettings} */
  const settings = parse(settingsText)
  const keys = settings.metadataKeys

  /** @type {(argument: unknown, metadata: object) => unknown} */
  let entry
  let normalises = false
  let events = []
  let eventCount = 0
  let first = 0
  let position = 0
  // The list has no prototype, so that writing an element calls no setter that user code defined on Array.prototype.
  const newList = () => setPrototypeOf([], null)
  let held = newList()
  let heldCount = 0
  const inFlight = new NativeMap()
  const openCalls = new NativeMap()
  let logText = ''
  let logRoom = settings.logBytesPerEvent

  const cut = (text, length) => (text.length > length ? apply(sliceText, text, [0, length]) : text)
  // Comparing prototypes recognises nearly every object, in a fifth of the time of isObject.
  const isPlain = (value) =>
    typeof value === 'object' &&
    value !== null &&
    getPrototypeOf(value) === plainPrototype &&
    value[toStringTag] === undefined &&
    !isArray(value)
  const isObject = (value) => isPlain(value) || apply(tagOf, value, []) === '[object Object]'
  const isThenable = (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    (typeof value.then === 'function' || (!isPlain(value) && value instanceof NativePromise))

  function shown(value) {
    if (typeof value === 'string') return value
    if (value === null) return 'null'
    if (typeof value === 'function') return '[function]'
    if (typeof value !== 'object') return NativeString(value)
    try {
      if (value instanceof NativeError) return value.name + ': ' + value.message
      const text = stringify(value, asItIs)
      if (typeof text === 'string') return text
    } catch {}
    return apply(tagOf, value, [])
  }

  const log = (...values) => write('', values)
  function write(start, values) {
    if (logRoom <= 0) return
    let line = start
    for (let i = 0; i < values.length && line.length <= logRoom; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i])
    const fits = fitting(line, logRoom - logEnd.length - 1)
    if (fits < 0) {
      line = cut(line, -1 - fits) + logEnd
      logRoom = 0
    } else logRoom -= fits + 1
    logText += (logText === '' ? '' : ',') + stringify(line)
  }
  const logEnd = ' [log limit reached]'

  // The console of user code. All output goes to the log. Groups end with their event.
  let indent = ''
  const counts = new NativeMap()
  const starts = new NativeMap()
  function consoleOf() {
    const log = (...values) => write(indent, values)
    const group = (...values) => {
      if (values.length > 0) write(indent, values)
      indent += '  '
    }
    const logTime = (label, values) => {
      const start = apply(getFrom, starts, [label])
      if (start !== undefined)
        write(indent + label + ': ' + (now() - start) + ' ms' + (values.length > 0 ? ' ' : ''), values)
    }
    return {
      log,
      info: log,
      warn: log,
      error: log,
      debug: log,
      dir: (value) => log(value),
      table: (value) => log(value),
      trace: (...values) => write(indent + 'Trace: ', values),
      assert(condition, ...values) {
        if (!condition) write(indent + 'Assertion failed' + (values.length > 0 ? ': ' : ''), values)
      },
      group,
      groupCollapsed: group,
      groupEnd() {
        indent = apply(sliceText, indent, [2])
      },
      time(label = 'default') {
        apply(setIn, starts, ['' + label, now()])
      },
      timeLog: (label = 'default', ...values) => logTime('' + label, values),
      timeEnd(label = 'default') {
        logTime('' + label, [])
        apply(deleteFrom, starts, ['' + label])
      },
      count(label = 'default') {
        const count = (apply(getFrom, counts, ['' + label]) || 0) + 1
        apply(setIn, counts, ['' + label, count])
        log(label + ': ' + count)
      },
      countReset(label = 'default') {
        apply(deleteFrom, counts, ['' + label])
      },
    }
  }

  // Returns the length of a text in UTF-8 if it is less than 'room'; otherwise -1 minus the number of characters that fit.
  function fitting(text, room) {
    const { length } = text
    if (length < room && apply(execPattern, notAscii, [text]) === null) return length
    let bytes = 0
    for (let i = 0; i < length; i += 1) {
      const start = i
      const char = text[i]
      if (char < '\x80') bytes += 1
      else if (char < '\u0800') bytes += 2
      else if (
        char >= '\ud800' &&
        char < '\udc00' &&
        i + 1 < length &&
        text[i + 1] >= '\udc00' &&
        text[i + 1] < '\ue000'
      ) {
        bytes += 4
        i += 1
      } else bytes += 3
      if (bytes >= room) return -1 - start
    }
    return bytes
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
  const notAscii = /[^\x00-\x7f]/

  function exception(code, thrown) {
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
    return [0, '', 1, code, isError, thrown === null || thrown === undefined, name, message, stack]
  }

  const refusal = (message) => [0, '', 1, 'refused', false, false, '', message, '']

  // Does not change the value. JSON.stringify calls it for each value, which lets the time limit stop an endless result.
  const asItIs = (_, value) => value

  // Converts an object to JSON text and back. Returns undefined when its toJSON returned a non-object.
  function normalised(value) {
    const text = stringify(value, asItIs)
    return typeof text === 'string' && text[0] === '{' ? parse(text) : undefined
  }

  // Non-objects become null with keepOthers; otherwise one of them refuses the whole list with the message notObject.
  function listAnswer(list, inputCount, entryName, notObject, keepOthers) {
    const length = +list.length
    const lengthMax = settings.fanOutMax * inputCount
    if (length > lengthMax)
      return refusal(entryName + ' returned ' + length + ' events, at most ' + lengthMax + ' are allowed')
    const answer = [0, '', 0]
    for (let i = 0; i < length; i += 1) {
      const value = list[i]
      if (isObject(value)) append(answer, value)
      else if (keepOthers) append(answer, null)
      else return refusal(notObject)
    }
    return answer
  }

  // Defines the element, because user code may have defined a setter for its index.
  function append(list, value) {
    defineProperty(list, list.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true })
  }

  const inArray = 'returned event in events array from transformEvent(event) is not an object'
  const tooDeep = 'RangeError: the returned value is nested deeper than ' + settings.depthMax + ' levels'
  const single = 'returned event from transformEvent(event) is not an object'

  function eventAnswer(value) {
    try {
      if (value === null || value === undefined) return [0, '', 0]
      if (isArray(value)) return listAnswer(value, 1, 'transformEvent', inArray, false)
      return isObject(value) ? [0, '', 0, value] : refusal(single)
    } catch (thrown) {
      return exception('output', thrown)
    }
  }

  function batchAnswer(value, inputCount) {
    try {
      if (!isArray(value)) return refusal('returned events from transformBatch(event) is not an array')
      return listAnswer(value, inputCount, 'transformBatch', '', true)
    } catch (thrown) {
      return exception('output', thrown)
    }
  }

  // Returns whether a value is nested deeper than answers may be. Uses a list, not recursion: JSON.stringify would use
  // up the stack first, in a time that grows with the square of the depth. Getters are not called.
  function isTooDeep(answer) {
    const seen = new NativeSet()
    /** @type {Work | undefined} */
    let work = { value: answer, depth: 1, next: undefined }
    while (work !== undefined) {
      const { value, depth } = work
      work = work.next
      if ((!isArray(value) && !isPlain(value)) || apply(isIn, seen, [value])) continue
      if (depth > settings.depthMax) return true
      apply(addTo, seen, [value])
      const keys = ownKeys(value)
      for (let i = 0; i < keys.length; i += 1) {
        const member = getOwnPropertyDescriptor(value, keys[i])
        if (member !== undefined) work = { value: member.value, depth: depth + 1, next: work }
      }
    }
    return false
  }

  // Returns 'other' as the answer for the event of 'answer', with the same log.
  function instead(answer, other) {
    other[0] = answer[0]
    other[1] = answer[1]
    return other
  }

  // Returns the same answer with outputs that contain only JSON values.
  function normalisedAnswer(answer) {
    if (answer[2] !== 0) return answer
    try {
      if (isTooDeep(answer)) return instead(answer, refusal(tooDeep))
      const plain = instead(answer, [0, '', 0])
      for (let i = 3; i < answer.length; i += 1) {
        const value = answer[i] === null ? null : normalised(answer[i])
        if (value !== undefined) append(plain, value)
        else if (answer[0] === -1) append(plain, null)
        else return instead(answer, refusal(answer.length === 4 ? single : inArray))
      }
      return plain
    } catch (thrown) {
      return instead(answer, exception('output', thrown))
    }
  }

  function hold(answer, index) {
    answer[0] = index
    const whole = normalises ? normalisedAnswer(answer) : answer
    whole[1] = logText
    logText = ''
    held[heldCount] = whole
    heldCount += 1
  }

  // Waits for the promise of an event. The result is ignored if the event was given up: it is then no longer in flight.
  async function settle(value, index, toAnswer) {
    const ticket = {}
    apply(setIn, inFlight, [index, ticket])
    let answer
    try {
      answer = toAnswer(await value)
    } catch (thrown) {
      answer = exception('threw', thrown)
    }
    if (apply(getFrom, inFlight, [index]) !== ticket) return
    apply(deleteFrom, inFlight, [index])
    hold(answer, index)
  }

  // Calls the entry point. Returns true when the answer is held, false when it will follow later.
  function call(argument, metadata, index, toAnswer) {
    try {
      const value = entry(argument, metadata)
      if (isThenable(value)) {
        settle(value, index, toAnswer)
        return false
      }
      hold(toAnswer(value), index)
    } catch (thrown) {
      hold(exception('threw', thrown), index)
    }
    return true
  }

  function copyOf(metadata) {
    const all = {}
    for (let i = 0; i < keys.length; i += 1) all[keys[i]] = metadata[keys[i]]
    return all
  }
  const idOf = (event) => (event === null || event === undefined ? event : event.messageId)
  const isNothing = (value) => value === null || value === undefined
  const noMetadata = () => copyOf({})

  // Bytes that events may still log when they continue after waiting.
  let spareLogRoom = 0
  let lastWaits = false

  // Runs the next event. If a list is given, it replaces the current one. A list has key orders, which only have to stay
  // alive, then 'count' events, then their metadata if the code may use it. 'firstIndex' is the index of the first event,
  // 'startPlace' the position in the list of the event to start with.
  function next(list, count, firstIndex, startPlace) {
    if (list !== undefined) {
      events = list
      eventCount = count
      first = firstIndex
      position = startPlace
    }
    const place = position
    position += 1
    indent = ''
    if (lastWaits) spareLogRoom = logRoom
    logRoom = settings.logBytesPerEvent
    const event = events[1 + place]
    const metadata =
      events.length === 1 + eventCount ? noMetadata : metadataOf(event, events[1 + eventCount + place] || {})
    lastWaits = !call(event, metadata, first + place, eventAnswer)
    if (lastWaits) {
      const spare = spareLogRoom + logRoom
      spareLogRoom = spare < settings.logBytesPerBatch ? spare : settings.logBytesPerBatch
      logRoom = spareLogRoom
    }
    return !lastWaits
  }

  // Like 'next', for when no answer is held. Returns the answer itself, or false when it will follow later.
  function nextAlone(list, count, firstIndex, startPlace) {
    if (!next(list, count, firstIndex, startPlace)) return false
    const answer = held[0]
    held.length = 0
    heldCount = 0
    return answer
  }

  function metadataOf(event, own) {
    const id = idOf(event)
    return (about) => copyOf(!isNothing(about) && idOf(about) === id ? own : {})
  }

  let batchEvents = []
  let batchMetas = []

  // Adds a list, as passed to 'next', to the events of the single call of transformBatch.
  function gather(list, count) {
    for (let i = 0; i < count; i += 1) {
      append(batchEvents, list[1 + i])
      append(batchMetas, list[1 + count + i])
    }
  }

  function runGathered() {
    const list = batchEvents
    const count = list.length
    const own = batchMetas
    batchEvents = []
    batchMetas = []
    const ofEvents = settings.logBytesPerEvent * count
    logRoom = ofEvents < settings.logBytesPerBatch ? ofEvents : settings.logBytesPerBatch
    const places = new NativeMap()
    for (let i = 0; i < count; i += 1) apply(setIn, places, [idOf(list[i]), i])
    const metadata = (about) => {
      const place = isNothing(about) ? undefined : apply(getFrom, places, [idOf(about)])
      return copyOf(place === undefined ? {} : own[place] || {})
    }
    return call(list, metadata, -1, (value) => batchAnswer(value, count))
  }

  // Returns the answers held since the last call, as one list.
  function take() {
    const list = held
    held = newList()
    heldCount = 0
    return list
  }

  const heldNow = () => heldCount
  // Returns the index of the n-th answer since the last call of take.
  const heldIndex = (n) => held[n][0]
  function giveUp(index) {
    apply(deleteFrom, inFlight, [index])
  }
  function takeLog(index) {
    const text = logText
    logText = ''
    return [index, text, 2]
  }
  const describe = (thrown) => exception('threw', thrown)

  // Sets the entry point. Returns the names of the entry points found, with a '+' when the code may use its metadata.
  function attach(exported, normalisesOutputs) {
    normalises = normalisesOutputs
    drawn = undefined
    const ofEvent = exported.transformEvent
    const ofBatch = exported.transformBatch
    const hasEvent = typeof ofEvent === 'function'
    const hasBatch = typeof ofBatch === 'function'
    entry = hasEvent ? ofEvent : ofBatch
    const names =
      (hasEvent ? 'transformEvent' : '') + (hasEvent && hasBatch ? ',' : '') + (hasBatch ? 'transformBatch' : '')
    return hasEvent !== hasBatch && mayUseMetadata(entry) ? names + '+' : names
  }

  // Makes everything as it was after 'attach', with another instance of the entry point. For machines that do not restore
  // memory.
  function renew(target, normalisesOutputs) {
    entry = target
    normalises = normalisesOutputs
    events = []
    batchEvents = []
    batchMetas = []
    held = newList()
    heldCount = 0
    logText = ''
    indent = ''
    lastWaits = false
    spareLogRoom = 0
    logRoom = settings.logBytesPerEvent
    drawn = undefined
    apply(clearMap, inFlight, [])
    apply(clearMap, openCalls, [])
    apply(clearMap, counts, [])
    apply(clearMap, starts, [])
  }

  // A function with one plain parameter whose text contains neither 'arguments' nor 'eval' cannot see a second argument.
  const oneParameter = /^(?:async\s+)?(?:function\s*[\w$]*\s*\(\s*[\w$]*\s*\)|\(\s*[\w$]*\s*\)\s*=>|[\w$]+\s*=>)/
  const otherArguments = /arguments|eval/
  function mayUseMetadata(target) {
    const text = apply(textOf, target, [])
    const has = (pattern) => apply(execPattern, pattern, [text]) !== null
    return !has(oneParameter) || has(otherArguments)
  }

  // The engine has no locales. Its own functions ignore them, and would give wrong text without a word.
  function withoutLocales(prototype, names, localesAt, instead) {
    for (const name of names) {
      const native = prototype[name]
      const refused = {
        [name](...args) {
          if (localesAt >= 0 && args[localesAt] === undefined) return apply(native, this, args)
          throw new NativeTypeError(name + ' is not available in user code, which has no locales; ' + instead)
        },
      }[name]
      defineProperty(prototype, name, {
        __proto__: null,
        value: refused,
        writable: true,
        enumerable: false,
        configurable: true,
      })
    }
  }
  const writeNumbers = 'use toFixed, or a library that formats by itself'
  withoutLocales(Number.prototype, ['toLocaleString'], -1, writeNumbers)
  withoutLocales(BigInt.prototype, ['toLocaleString'], -1, writeNumbers)
  withoutLocales(
    Date.prototype,
    ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
    -1,
    'use toISOString, or a library that formats by itself',
  )
  withoutLocales(NativeString.prototype, ['toLocaleUpperCase', 'toLocaleLowerCase'], 0, 'leave the locale out')
  withoutLocales(NativeString.prototype, ['localeCompare'], 1, 'leave the locale out')

  // Where the program is, when the host interrupts it.
  const here = () => new NativeError().stack

  const errorNames = { __proto__: null, TypeError: NativeTypeError, RangeError: NativeRangeError }
  function hostError(name, message) {
    const known = errorNames[name]
    const error = known === undefined ? new NativeError(message) : new known(message)
    if (known === undefined && name !== 'Error')
      defineProperty(error, 'name', {
        __proto__: null,
        value: name,
        writable: true,
        enumerable: false,
        configurable: true,
      })
    return error
  }

  // Calls a host function, which returns [0, value], [1, name, message], or undefined when the arguments must be
  // converted to JSON text first.
  function callWith(target, name, args) {
    let reply = target(name, args)
    if (reply === undefined) reply = target(name, parse(stringify(args, asItIs)))
    if (reply === undefined) throw new NativeTypeError('arguments of a host call must be JSON values')
    if (reply[0] === 0) return reply[1]
    throw hostError(reply[1], reply[2])
  }
  const callHost = (name, ...args) => callWith(hostCall, name, args)
  const callHostLater = (name, ...args) =>
    new NativePromise((resolve, reject) => {
      apply(setIn, openCalls, [callWith(startHostCall, name, args), { __proto__: null, resolve, reject }])
    })
  // Passes the reply of the host to the promise that callHostLater returned.
  function settleCall(id, reply) {
    const open = apply(getFrom, openCalls, [id])
    if (open === undefined) return
    apply(deleteFrom, openCalls, [id])
    if (reply[0] === 0) open.resolve(reply[1])
    else open.reject(hostError(reply[1], reply[2]))
  }

  // biome-ignore lint/suspicious/noShadowRestrictedNames: the name that user code sees
  const HostDate = function Date(...values) {
    if (new.target === undefined) return new NativeDate(now()).toString()
    return construct(NativeDate, values.length === 0 ? [now()] : values, new.target)
  }
  const define = (target, key, value, enumerable = false) =>
    defineProperty(target, key, { value, enumerable, writable: true, configurable: true })
  // Random numbers in store. Discarded before an image is taken; otherwise the same numbers would follow each restore.
  let drawn
  let drawnCount = 0
  function random() {
    if (drawn === undefined || drawnCount === settings.numbersPerDraw) {
      drawn = new NativeNumbers(randoms())
      drawnCount = 0
    }
    drawnCount += 1
    return drawn[drawnCount - 1]
  }
  defineProperty(HostDate, 'prototype', { value: NativeDate.prototype, writable: false })
  defineProperty(HostDate, 'length', { value: 7, configurable: true })
  define(HostDate, 'now', { now: () => now() }.now)
  define(HostDate, 'parse', NativeDate.parse)
  define(HostDate, 'UTC', NativeDate.UTC)
  define(NativeDate.prototype, 'constructor', HostDate)
  define(globalThis, 'Date', HostDate)
  define(Math, 'random', { random: () => random() }.random)
  define(globalThis, 'log', log)
  define(globalThis, 'console', consoleOf())
  define(globalThis, 'global', globalThis)
  // In this build of the engine, growable shared memory can be read and written outside its allocation, and the known
  // memory defects need a buffer that shrinks while in use; see the threat model.
  for (const key of ['resize', 'transfer', 'transferToFixedLength']) delete ArrayBuffer.prototype[key]
  delete (/** @type {Partial<typeof globalThis>} */ (globalThis).SharedArrayBuffer)
  delete (/** @type {Partial<typeof globalThis>} */ (globalThis).Atomics)

  // These begin and end the period in which our own code can call the host.
  function unlock() {
    define(globalThis, 'callHost', callHost)
    define(globalThis, 'callHostLater', callHostLater)
  }
  function lock() {
    delete (/** @type {Partial<typeof globalThis>} */ (globalThis).callHost)
    delete (/** @type {Partial<typeof globalThis>} */ (globalThis).callHostLater)
    drawn = undefined
  }

  return {
    next,
    nextAlone,
    gather,
    runGathered,
    take,
    heldNow,
    heldIndex,
    normalisedAnswer,
    giveUp,
    takeLog,
    describe,
    attach,
    renew,
    here,
    settleCall,
    unlock,
    lock,
  }
}
