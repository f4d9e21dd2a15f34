/**
 * The programs that guests run, as texts without comments and indentation.
 *
 * Written by `pnpm guests` from the files of the same names in the folder `guest`: change those.
 */

export const bareGuestBridge = `
;(sync, start) => {
const { parse, stringify } = JSON
const waiting = { __proto__: null }
let last = 0
const rebuilt = ({ name, message }) => Object.assign(new Error(message), { name })
Object.assign(globalThis, {
callHost: (...args) => {
const answer = parse(sync(stringify(args)))
if (answer.error) throw rebuilt(answer.error)
return answer.value
},
callHostLater: (...args) =>
new Promise((resolve, reject) => {
waiting[++last] = { resolve, reject }
start(last, stringify(args))
}),
})
return (id, text) => {
const answer = parse(text)
if (answer.error) waiting[id].reject(rebuilt(answer.error))
else waiting[id].resolve(answer.value)
}
}
`

export const credentialsGlobals = `
;(() => {
const call = callHost
const NativeTypeError = TypeError
const getCredential = (key) => {
if (key === null || key === undefined) throw new NativeTypeError('Key should be valid and defined')
return call('credential', \`\${key}\`)[0]
}
Object.defineProperty(globalThis, 'getCredential', { value: getCredential, writable: true, configurable: true })
})()
`

export const encodingModule = `
const call = callHost
export const base64Encode = (value) => call('base64Encode', value)
export const base64Decode = (value) => call('base64Decode', value)
export const base64UrlEncode = (value) => call('base64UrlEncode', value)
export const base64UrlDecode = (value) => call('base64UrlDecode', value)
export const hexEncode = (value) => call('hexEncode', value)
export const hexDecode = (value) => call('hexDecode', value)
export const utf8Length = (value) => call('utf8Length', value)
`

export const fetchGlobals = `
;(() => {
const later = callHostLater
const { apply } = Reflect
const Params = globalThis.URLSearchParams
const paramsText = Params === undefined ? undefined : Params.prototype.toString
const NativeString = String
const formType = 'application/x-www-form-urlencoded;charset=UTF-8'
function toPlain(options) {
const body = options === null || options === undefined ? undefined : options.body
if (paramsText === undefined || !(body instanceof Params)) return options
const { method, redirect, headers } = options
return { method, redirect, headers: { 'content-type': formType, ...headers }, body: apply(paramsText, body, []) }
}
const text = (url) => (url === null || url === undefined ? url : NativeString(url))
async function fetch(url, options) {
try {
const answer = await later('fetch', text(url), toPlain(options))
return 'json' in answer ? answer.json : 'ERROR'
} catch {
return 'ERROR'
}
}
async function fetchV2(url, options) {
return later('fetchV2', text(url), toPlain(options))
}
const install = (name, value) =>
Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
install('fetch', fetch)
install('fetchV2', fetchV2)
})()
`

export const geolocationGlobals = `
;(() => {
const later = callHostLater
const geolocation = (ip) => later('geolocation', ip)
Object.defineProperty(globalThis, 'geolocation', { value: geolocation, writable: true, configurable: true })
})()
`

export const guestPrelude = `
;(
now,
randoms,
hostCall,
startHostCall,
settingsText,
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
const settings = parse(settingsText)
const keys = settings.metadataKeys
let entry
let normalises = false
let events = []
let eventCount = 0
let first = 0
let position = 0
const newList = () => setPrototypeOf([], null)
let held = newList()
let heldCount = 0
const inFlight = new NativeMap()
const openCalls = new NativeMap()
let logText = ''
let logRoom = settings.logBytesPerEvent
const cut = (text, length) => (text.length > length ? apply(sliceText, text, [0, length]) : text)
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
function fitting(text, room) {
const { length } = text
if (length < room && apply(execPattern, notAscii, [text]) === null) return length
let bytes = 0
for (let i = 0; i < length; i += 1) {
const start = i
const char = text[i]
if (char < '\\x80') bytes += 1
else if (char < '\\u0800') bytes += 2
else if (
char >= '\\ud800' &&
char < '\\udc00' &&
i + 1 < length &&
text[i + 1] >= '\\udc00' &&
text[i + 1] < '\\ue000'
) {
bytes += 4
i += 1
} else bytes += 3
if (bytes >= room) return -1 - start
}
return bytes
}
const notAscii = /[^\\x00-\\x7f]/
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
const asItIs = (_, value) => value
function normalised(value) {
const text = stringify(value, asItIs)
return typeof text === 'string' && text[0] === '{' ? parse(text) : undefined
}
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
function isTooDeep(answer) {
const seen = new NativeSet()
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
function instead(answer, other) {
other[0] = answer[0]
other[1] = answer[1]
return other
}
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
let spareLogRoom = 0
let lastWaits = false
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
function take() {
const list = held
held = newList()
heldCount = 0
return list
}
const heldNow = () => heldCount
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
const oneParameter = /^(?:async\\s+)?(?:function\\s*[\\w$]*\\s*\\(\\s*[\\w$]*\\s*\\)|\\(\\s*[\\w$]*\\s*\\)\\s*=>|[\\w$]+\\s*=>)/
const otherArguments = /arguments|eval/
function mayUseMetadata(target) {
const text = apply(textOf, target, [])
const has = (pattern) => apply(execPattern, pattern, [text]) !== null
return !has(oneParameter) || has(otherArguments)
}
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
function settleCall(id, reply) {
const open = apply(getFrom, openCalls, [id])
if (open === undefined) return
apply(deleteFrom, openCalls, [id])
if (reply[0] === 0) open.resolve(reply[1])
else open.reject(hostError(reply[1], reply[2]))
}
const HostDate = function Date(...values) {
if (new.target === undefined) return new NativeDate(now()).toString()
return construct(NativeDate, values.length === 0 ? [now()] : values, new.target)
}
const define = (target, key, value, enumerable = false) =>
defineProperty(target, key, { value, enumerable, writable: true, configurable: true })
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
for (const key of ['resize', 'transfer', 'transferToFixedLength']) delete ArrayBuffer.prototype[key]
delete ( (globalThis).SharedArrayBuffer)
delete ( (globalThis).Atomics)
function unlock() {
define(globalThis, 'callHost', callHost)
define(globalThis, 'callHostLater', callHostLater)
}
function lock() {
delete ( (globalThis).callHost)
delete ( (globalThis).callHostLater)
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
`

export const hashModule = `
const call = callHost
export const sha256 = (value, options) => call('hash', 'sha256', value, options)
export const sha512 = (value, options) => call('hash', 'sha512', value, options)
export const sha1 = (value, options) => call('hash', 'sha1', value, options)
export const md5 = (value, options) => call('hash', 'md5', value, options)
export const hmac = (algorithm, key, value, options) => call('hmac', algorithm, key, value, options)
`

export const patternHook = `
;(show) => {
const shared = RegExp.prototype
const texts = String.prototype
const getterOf = (target, key) => Object.getOwnPropertyDescriptor(target, key)?.get
for (const target of [shared, texts, RegExp])
for (const key of Reflect.ownKeys(target)) Object.getOwnPropertyDescriptor(target, key)
const { [Symbol.replace]: replace, [Symbol.match]: match, [Symbol.search]: search, [Symbol.split]: split } = shared
const { exec } = shared
const species = getterOf(RegExp, Symbol.species)
const flags = ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky']
const flagGetters = ['flags', ...flags].map((key) => getterOf(shared, key))
const [most, sets] = ['dimsuy', 'v']
const samples = [/pro[b]e+/g, new RegExp('a{2}@', most), new RegExp('(?:)', sets)]
samples.forEach((sample, place) => {
sample.lastIndex = place + 5
})
const hidden = { enumerable: false, configurable: true }
const execSample = Object.defineProperty({}, 'exec', { value: 1, writable: true, ...hidden })
const flagsSample = Object.defineProperty({}, 'flags', { get: () => 1, ...hidden })
const ownFunction = () => {}
const methods = [texts.replace, texts.replaceAll, texts.match, texts.search, texts.split, shared.test]
const names = ['replace', 'replaceAll', 'match', 'search', 'split', 'test']
return {
samples,
methods,
arrayOf: Array.of,
minusOne: -1,
showSamples: () => show(...samples, ownFunction, execSample),
showWatched: () => {
show(shared, RegExp, execSample, flagsSample, exec, replace, match, search, split, species, ...flagGetters)
},
replaceMethods: (...values) => {
values.forEach((value, place) => {
const key = names[place] ?? ''
const fixed = { writable: false, enumerable: false, configurable: true }
Object.defineProperty(value, 'length', { value: methods[place]?.length, ...fixed })
Object.defineProperty(key === 'test' ? shared : texts, key, { ...fixed, value, writable: true })
})
},
}
}
`

export const piiModule = `
const call = callHost
const { apply, getPrototypeOf, ownKeys } = Reflect
const { isArray } = Array
const { slice } = Array.prototype
const { parse, stringify } = JSON
const plainPrototype = Object.prototype
const isPlain = (value) => {
if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function') return false
if (isArray(value)) return true
const prototype = getPrototypeOf(value)
return prototype === plainPrototype || prototype === null
}
function changed(value, edit) {
const whole = { value }
const work = [whole, 'value', edit]
while (work.length > 0) {
const at = work.length - 3
const holder = work[at]
const key = work[at + 1]
const change = work[at + 2]
work.length = at
if (typeof change === 'string') {
holder[key] = change
continue
}
const old = holder[key]
if (!isPlain(old)) return undefined
const copy = isArray(old) ? apply(slice, old, []) : { ...old }
holder[key] = copy
const keys = ownKeys(change)
for (let i = 0; i < keys.length; i += 1) {
work[work.length] = copy
work[work.length] = keys[i]
work[work.length] = change[keys[i]]
}
}
return whole
}
export function mask(value, options) {
if (value === undefined) return undefined
const edit = call('piiEdits', value, options)
if (edit === null) return value
return (changed(value, edit) ?? changed(parse(stringify(value)), edit)).value
}
`

export const probeCounters = `
;( first, settingsText) => {
const { count, length, mark } = JSON.parse(settingsText)
const numbers = new Uint32Array(length)
numbers.set(mark)
return { numbers, count, now: Date.now, first }
}
`

export const realmDecoder = `
;(
latin1,
utf16,
) => {
const { defineProperty } = Object
const { fromCharCode } = String
const shortLength = 10
const view = new DataView(new ArrayBuffer(8))
const setByte = view.setUint8.bind(view)
const getNumber = view.getFloat64.bind(view)
let bytes
let at = 0
let keys = []
let keyBytes
let keyBytesLength = 0
function number() {
let byte = bytes[at++]
if (byte < 128) return byte
let result = byte & 127
let shift = 7
do {
byte = bytes[at++]
result |= (byte & 127) << shift
shift += 7
} while (byte > 127)
return result >>> 0
}
function text() {
const head = number()
const length = head >>> 1
const start = at
if (head & 1) {
at += 2 * length
return utf16(bytes, start, at)
}
at += length
if (length >= shortLength) return latin1(bytes, start, at)
let short = ''
for (let i = start; i < at; i += 1) short += fromCharCode(bytes[i])
return short
}
function float() {
for (let i = 0; i < 8; i += 1) setByte(i, bytes[at++])
return getNumber(0, true)
}
function object() {
const made = {}
for (let left = number(); left > 0; left -= 1) {
const word = number()
const key = word & 1 ? \`\${word >>> 1}\` : keys[(word >>> 1) - 1]
if (key === '__proto__')
defineProperty(made, key, {
__proto__: null,
value: value(),
writable: true,
enumerable: true,
configurable: true,
})
else made[key] = value()
}
return made
}
function list() {
const made = []
const length = number()
for (let i = 0; i < length; i += 1) made[i] = value()
return made
}
function value() {
switch (bytes[at++]) {
case 1:
return null
case 3:
return false
case 4:
return true
case 5: {
const zigzag = number()
return (zigzag >>> 1) ^ -(zigzag & 1)
}
case 6:
return float()
case 7:
return text()
case 8:
return object()
case 9:
return list()
default:
return undefined
}
}
function readKeys() {
const count = number()
if (keyBytes !== undefined && keys.length === count && hasSameKeys()) {
at += keyBytesLength
return
}
const start = at
keys = []
for (let i = 0; i < count; i += 1) keys[i] = text()
keyBytesLength = at - start
keyBytes = new Uint8Array(keyBytesLength)
for (let i = 0; i < keyBytesLength; i += 1) keyBytes[i] = bytes[start + i]
}
function hasSameKeys() {
if (at + keyBytesLength > bytes.length) return false
for (let i = 0; i < keyBytesLength; i += 1) if (keyBytes?.[i] !== bytes[at + i]) return false
return true
}
return ( source) => {
bytes = source
at = 1
readKeys()
return value()
}
}
`

export const realmWatch = `
;( more) => {
const {
ownKeys,
getOwnPropertyDescriptor,
getPrototypeOf,
setPrototypeOf,
defineProperty,
deleteProperty,
isExtensible,
preventExtensions,
} = Reflect
const { is } = Object
const depthMax = 5
const startsLarge = RegExp.prototype.test.bind(/^[A-Z]/)
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function'
const isContainer = (value, owner) =>
isObject(value) && (typeof value === 'object' || owner === globalThis || startsLarge(value.name))
const seen = new Set()
const objects = []
const visit = (object, depth) => {
if (!isObject(object) || seen.has(object)) return
seen.add(object)
objects.push(object)
if (depth > depthMax) return
for (const key of ownKeys(object)) {
const { value } = getOwnPropertyDescriptor(object, key) ?? {}
if (isContainer(value, object)) visit(value, depth + 1)
}
visit(getPrototypeOf(object), depth + 1)
}
visit(globalThis, 0)
for (const hidden of [
[][Symbol.iterator](),
''[Symbol.iterator](),
new Map().values(),
new Set().values(),
'a'.matchAll(/a/g),
(function* () {})(),
(async function* () {})(),
async () => {},
])
visit(getPrototypeOf(hidden), 0)
for (const object of more) visit(object, 1)
for (const object of objects)
for (const key of ownKeys(object)) {
const { value, get, set } = getOwnPropertyDescriptor(object, key) ?? {}
for (const method of [value, get, set])
if (typeof method === 'function' && !seen.has(method)) preventExtensions(method)
}
const before = objects.map((object) => {
const keys = ownKeys(object)
return {
object,
keys,
descriptors: keys.map((key) => getOwnPropertyDescriptor(object, key)),
prototype: getPrototypeOf(object),
extensible: isExtensible(object),
}
})
const isSame = (a, b) =>
a !== undefined &&
b !== undefined &&
is(a.value, b.value) &&
a.get === b.get &&
a.set === b.set &&
a.writable === b.writable &&
a.enumerable === b.enumerable &&
a.configurable === b.configurable
function restoreOne({ object, keys, descriptors, prototype, extensible }) {
if (getPrototypeOf(object) !== prototype && !setPrototypeOf(object, prototype)) return false
if (isExtensible(object) !== extensible) return false
for (let i = 0; i < keys.length; i += 1)
if (
!isSame(getOwnPropertyDescriptor(object, keys[i]), descriptors[i]) &&
!defineProperty(object, keys[i], descriptors[i])
)
return false
if (ownKeys(object).length === keys.length) return true
for (const key of ownKeys(object)) if (!keys.includes(key) && !deleteProperty(object, key)) return false
return true
}
const checks = before
.filter(({ object }) => object !== globalThis)
.map(({ object, keys, descriptors }) => {
const own = keys.flatMap((key, i) =>
descriptors[i] !== undefined && 'value' in descriptors[i] && descriptors[i].writable
? [{ key, value: descriptors[i].value }]
: [],
)
const compared = own.filter(({ value }) => !is(value, NaN))
const named = compared.map(
({ key }, i) => \`object[\${typeof key === 'string' ? JSON.stringify(key) : \`keys[\${i}]\`}] === values[\${i}]\`,
)
const enumerable = []
for (const key in object) enumerable.push(key)
const added =
enumerable.length === 0 ? 'return false' : 'if (!known.has(key) && has.call(object, key)) return false'
const body = \`for (const key in object) { \${added} }\\nreturn \${named.length === 0 ? 'true' : named.join(' && ')}\`
return new Function('object', 'keys', 'values', 'known', 'has', \`return () => { \${body} }\`)(
object,
compared.map(({ key }) => key),
compared.map(({ value }) => value),
new Set(enumerable),
Object.prototype.hasOwnProperty,
)
})
return {
isUnchanged() {
for (let i = 0; i < checks.length; i += 1) if (!checks[i]()) return false
return true
},
restore() {
for (let i = 0; i < before.length; i += 1) if (!restoreOne(before[i])) return false
return true
},
}
}
`

export const rsEncryptModule = `
const call = callHost
export class JSEncrypt {
#key = ''
setKey(key) {
this.#key = key ? \`\${key}\` : ''
}
setPublicKey(key) {
this.setKey(key)
}
setPrivateKey(key) {
this.setKey(key)
}
encrypt(text) {
return call('rsaEncrypt', this.#key, \`\${text}\`)
}
decrypt(text) {
return call('rsaDecrypt', this.#key, \`\${text}\`)
}
}
export default JSEncrypt
`

export const rsHashModule = `
 export { md5, sha256 } from '@sluice/hash'
const { imul } = Math
const codeAt = Function.prototype.call.bind(String.prototype.charCodeAt)
export function cyrb53(text, seed = 0) {
let low = 0xdeadbeef ^ seed
let high = 0x41c6ce57 ^ seed
for (let i = 0; i < text.length; i += 1) {
const code = codeAt(text, i)
low = imul(low ^ code, 2654435761)
high = imul(high ^ code, 1597334677)
}
low = imul(low ^ (low >>> 16), 2246822507) ^ imul(high ^ (high >>> 13), 3266489909)
high = imul(high ^ (high >>> 16), 2246822507) ^ imul(low ^ (low >>> 13), 3266489909)
return 4294967296 * (high & 2097151) + (low >>> 0)
}
`

export const rsLocalizeAppleDeviceModelModule = `
const call = callHost
const trim = Function.prototype.call.bind(String.prototype.trim)
const toLowerCase = Function.prototype.call.bind(String.prototype.toLowerCase)
export function getLocalizedDeviceModel(event) {
const system = event?.context?.os?.name
const model = event?.context?.device?.model
if (typeof system !== 'string' || !model) return undefined
switch (toLowerCase(trim(system))) {
case 'ios':
case 'ipados':
case 'tvos':
case 'watchos':
return call('appleModelName', model)
}
return undefined
}
`

export const rsUserAgentParserModule = `
 import { parse } from '@sluice/user-agent'
export function UAParser(userAgent) {
if (new.target === undefined)
return new ( (UAParser))(userAgent).getResult()
let text, found
const read = () => (found ??= parse(text))
this.setUA = (next) => {
text = typeof next === 'string' ? next : ''
found = undefined
return this
}
this.getUA = () => text
this.getBrowser = () => ({ ...read().browser })
this.getCPU = () => ({ ...read().cpu })
this.getDevice = () => ({ ...read().device })
this.getEngine = () => ({ ...read().engine })
this.getOS = () => ({ ...read().os })
this.getResult = () => ({
ua: text,
browser: this.getBrowser(),
engine: this.getEngine(),
os: this.getOS(),
device: this.getDevice(),
cpu: this.getCPU(),
})
this.setUA(userAgent)
}
`

export const structuredCloneGlobals = `
;(() => {
const { apply, defineProperty, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect
const { isArray } = Array
const NativeError = Error
const NativeMap = Map
const NativeSet = Set
const NativeDate = Date
const NativeRegExp = RegExp
const NativeBuffer = ArrayBuffer
const NativeView = DataView
const NativeTypeError = TypeError
const { isView } = ArrayBuffer
const tagOf = Object.prototype.toString
const { get: getFrom, set: setIn, forEach: eachOfMap } = Map.prototype
const { add: addTo, forEach: eachOfSet, has: isIn } = Set.prototype
const { slice: sliceBuffer } = ArrayBuffer.prototype
const sizeOfSet = (
Object.getOwnPropertyDescriptor(Set.prototype, 'size')
).get
const timeOf = NativeDate.prototype.getTime
const { valueOf: numberOf } = Number.prototype
const { valueOf: textOf } = String.prototype
const { valueOf: truthOf } = Boolean.prototype
const { valueOf: bigOf } = BigInt.prototype
const NativeObject = Object
const typedTag = (
Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
).get
const typedArrays = { __proto__: null }
const kinds = [
Int8Array,
Uint8Array,
Uint8ClampedArray,
Int16Array,
Uint16Array,
Int32Array,
Uint32Array,
BigInt64Array,
BigUint64Array,
Float32Array,
Float64Array,
]
for (const kind of kinds) typedArrays[kind.name] = kind
const errors = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }
const refused = [Promise, WeakMap, WeakSet, WeakRef, FinalizationRegistry]
const then = Promise.prototype.then
const settled = Promise.resolve()
function cloneError(message) {
const error = new NativeError(message)
error.name = 'DataCloneError'
return error
}
const uncloneable = (value) =>
cloneError((typeof value === 'symbol' ? 'a symbol' : apply(tagOf, value, [])) + ' could not be cloned.')
const put = (target, key, value) =>
defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
function structuredClone(value, options) {
if (arguments.length === 0) throw new NativeTypeError('structuredClone needs 1 argument')
const seen = new NativeMap()
const moved = new NativeSet()
const listed = options?.transfer
if (listed !== undefined && listed !== null)
for (const buffer of listed) {
if (!(buffer instanceof NativeBuffer) || apply(isIn, moved, [buffer])) throw uncloneable(buffer)
apply(addTo, moved, [buffer])
}
if (apply(sizeOfSet, moved, []) > 0)
throw cloneError('an ArrayBuffer cannot be transferred here; it is copied without the option transfer.')
const remember = (source, copy) => {
apply(setIn, seen, [source, copy])
return copy
}
function members(source, copy, skipped) {
const keys = ownKeys(source)
for (let i = 0; i < keys.length; i += 1) {
const key = keys[i]
if (typeof key !== 'string' || key === skipped) continue
if (getOwnPropertyDescriptor(source, key)?.enumerable) put(copy, key, clone(source[key]))
}
return copy
}
function errorCopy(source) {
const type = errors[typeof source.name === 'string' ? source.name : ''] ?? NativeError
const message = getOwnPropertyDescriptor(source, 'message')
const copy = remember(source, message === undefined ? new type() : new type(\`\${message.value}\`))
for (const key of ['stack', 'cause']) {
const own = getOwnPropertyDescriptor(source, key)
if (own !== undefined && 'value' in own)
defineProperty(copy, key, { value: clone(own.value), writable: true, configurable: true })
}
return copy
}
function viewCopy(source) {
const buffer = clone(source.buffer)
const kind = apply(typedTag, source, [])
if (kind === undefined) return remember(source, new NativeView(buffer, source.byteOffset, source.byteLength))
const type = typedArrays[kind]
if (type === undefined) throw uncloneable(source)
return remember(source, new type(buffer, source.byteOffset, source.length))
}
function clone(source) {
const type = typeof source
if (type === 'function' || type === 'symbol') throw uncloneable(source)
if (type !== 'object' || source === null) return source
const before = apply(getFrom, seen, [source])
if (before !== undefined) return before
if (isArray(source)) {
const copy = remember(source, [])
copy.length = source.length
return members(source, copy, 'length')
}
if (isView(source)) return viewCopy(source)
if (source instanceof NativeBuffer) return remember(source, apply(sliceBuffer, source, [0]))
if (source instanceof NativeDate) return remember(source, new NativeDate(apply(timeOf, source, [])))
if (source instanceof NativeRegExp) return remember(source, new NativeRegExp(source.source, source.flags))
if (source instanceof NativeError) return errorCopy(source)
if (source instanceof NativeMap) {
const entries = []
apply(eachOfMap, source, [
(item, key) => {
entries[entries.length] = { key, item }
},
])
const copy = remember(source, new NativeMap())
for (let i = 0; i < entries.length; i += 1) apply(setIn, copy, [clone(entries[i].key), clone(entries[i].item)])
return copy
}
if (source instanceof NativeSet) {
const items = []
apply(eachOfSet, source, [
(item) => {
items[items.length] = item
},
])
const copy = remember(source, new NativeSet())
for (let i = 0; i < items.length; i += 1) apply(addTo, copy, [clone(items[i])])
return copy
}
for (let i = 0; i < refused.length; i += 1) if (source instanceof refused[i]) throw uncloneable(source)
return boxedCopy(source) ?? members(source, remember(source, {}))
}
function boxedCopy(source) {
const tag = apply(tagOf, source, [])
const out = {
'[object Number]': numberOf,
'[object String]': textOf,
'[object Boolean]': truthOf,
'[object BigInt]': bigOf,
}[tag]
if (tag === '[object URL]' || tag === '[object URLSearchParams]') throw uncloneable(source)
if (out === undefined) return undefined
try {
return remember(source, NativeObject(apply(out, source, [])))
} catch {
return undefined
}
}
return clone(value)
}
function queueMicrotask(job) {
if (typeof job !== 'function') throw new NativeTypeError('queueMicrotask needs a function')
apply(then, settled, [
() => {
job()
},
])
}
const install = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true })
install('structuredClone', structuredClone)
install('queueMicrotask', queueMicrotask)
})()
`

export const textCodingGlobals = `
;(() => {
const call = callHost
const { apply, defineProperty } = Reflect
const NativeBytes = Uint8Array
const NativeBuffer = ArrayBuffer
const NativeTypeError = TypeError
const NativeRangeError = RangeError
const { isView } = ArrayBuffer
const { fromCharCode } = String
const { slice: sliceText, toLowerCase, trim, toWellFormed, charCodeAt } = String.prototype
const { set: setBytes, subarray } = Object.getPrototypeOf(Uint8Array.prototype)
const pieceLength = 1024
function latin1(bytes) {
let text = ''
for (let i = 0; i < bytes.length; i += pieceLength)
text += apply(fromCharCode, undefined, apply(subarray, bytes, [i, i + pieceLength]))
return text
}
class TextEncoder {
get encoding() {
return 'utf-8'
}
encode(text = '') {
return new NativeBytes(call('utf8Encode', \`\${text}\`))
}
encodeInto(text, target) {
if (!(target instanceof NativeBytes)) throw new NativeTypeError('encodeInto needs a Uint8Array')
const source = apply(toWellFormed, \`\${text}\`, [])
let read = 0
let written = 0
while (read < source.length) {
const code = apply(charCodeAt, source, [read])
const units = code >= 0xd800 && code < 0xdc00 ? 2 : 1
const size = code < 0x80 ? 1 : code < 0x800 ? 2 : units === 2 ? 4 : 3
if (written + size > target.length) break
read += units
written += size
}
apply(setBytes, target, [new NativeBytes(call('utf8Encode', apply(sliceText, source, [0, read])))])
return { read, written }
}
}
class TextDecoder {
#fatal
#ignoreBom
#waiting = ''
#started = false
constructor(label = 'utf-8', options = {}) {
const name = apply(toLowerCase, apply(trim, \`\${label}\`, []), [])
if (name !== 'utf-8' && name !== 'utf8' && name !== 'unicode-1-1-utf-8')
throw new NativeRangeError('TextDecoder knows UTF-8 only, not ' + label)
this.#fatal = !!options?.fatal
this.#ignoreBom = !!options?.ignoreBOM
}
get encoding() {
return 'utf-8'
}
get fatal() {
return this.#fatal
}
get ignoreBOM() {
return this.#ignoreBom
}
decode(input, options) {
const stream = !!options?.stream
const bytes = this.#waiting + (input === undefined ? '' : latin1(bytesOf(input)))
this.#waiting = ''
let answer
try {
answer = call('utf8Decode', bytes, this.#fatal, stream)
} catch (thrown) {
this.#started = false
throw thrown
}
let text = answer[0]
if (!this.#started && !this.#ignoreBom && text[0] === '\\ufeff') text = apply(sliceText, text, [1])
this.#started = stream && (this.#started || answer[0] !== '')
if (stream) this.#waiting = answer[1]
return text
}
}
function bytesOf(input) {
if (isView(input)) return new NativeBytes(input.buffer, input.byteOffset, input.byteLength)
if (input instanceof NativeBuffer) return new NativeBytes(input)
throw new NativeTypeError('TextDecoder takes a buffer or a view of one')
}
const atob = function atob(text) {
if (arguments.length === 0) throw new NativeTypeError('atob needs 1 argument')
return call('base64Read', \`\${text}\`)
}
const btoa = function btoa(text) {
if (arguments.length === 0) throw new NativeTypeError('btoa needs 1 argument')
return call('base64Write', \`\${text}\`)
}
const install = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true })
install('TextEncoder', TextEncoder)
install('TextDecoder', TextDecoder)
install('atob', atob)
install('btoa', btoa)
})()
`

export const timedProbeModule = `
const { numbers, count, now } = hostProbes
const hits = numbers.subarray(0, count)
const times = numbers.subarray(count, 2 * count)
const pieces = numbers.subarray(2 * count, 3 * count)
const current = numbers.subarray(3 * count)
current[0] = -1
const heightMax = 4096
const below = new Int32Array(heightMax)
let height = 0
export function mark(i) {
hits[i]++
const at = now()
times[current[0]] += at - current[1]
current[1] = at
current[0] = i
pieces[i]++
}
export function at(i, value) {
mark(i)
return value
}
export function enter(i) {
if (height < heightMax) below[height] = current[0]
height++
mark(i)
}
export function resume(i, value) {
enter(i)
hits[i]--
return value
}
export function leave(value) {
const at = now()
times[current[0]] += at - current[1]
current[1] = at
const place = height > 0 && --height < heightMax ? below[height] : -1
current[0] = place
pieces[place]++
return value
}
export function stop() {
height = 0
leave()
}
`

export const untimedProbeModule = `
const { numbers, first } = hostProbes
export { first, numbers as hits }
`

export const urlGlobals = `
;(() => {
const call = callHost
const { apply, construct, get, ownKeys, getOwnPropertyDescriptor, defineProperty } = Reflect
const { isArray } = Array
const NativeTypeError = TypeError
const NativeWeakMap = WeakMap
const { toWellFormed } = String.prototype
const { sort } = Array.prototype
const iteratorKey = Symbol.iterator
const written = (value) => apply(toWellFormed, \`\${value}\`, [])
const need = (what, given, least) => {
if (given < least) throw new NativeTypeError(what + ' needs ' + least + (least === 1 ? ' argument' : ' arguments'))
}
class Unserialisable {
constructor() {
return construct(NativeWeakMap, [], new.target)
}
}
function pairsOf(init) {
if (init === undefined) return []
if (init === null || (typeof init !== 'object' && typeof init !== 'function'))
return call('paramsRead', written(init))
const pairs = []
const add = (pair) => {
const items = isArray(pair) ? pair : pair !== null && typeof pair === 'object' ? [...pair] : []
if (items.length !== 2) throw new NativeTypeError('URLSearchParams takes pairs of a name and a value')
pairs[pairs.length] = written(items[0])
pairs[pairs.length] = written(items[1])
}
if (isArray(init)) for (let i = 0; i < init.length; i += 1) add(init[i])
else if (init[iteratorKey] !== undefined && init[iteratorKey] !== null) for (const pair of init) add(pair)
else {
const keys = ownKeys(init)
for (let i = 0; i < keys.length; i += 1) {
const described = typeof keys[i] === 'string' ? getOwnPropertyDescriptor(init, keys[i]) : undefined
if (described === undefined || !described.enumerable) continue
pairs[pairs.length] = written(keys[i])
pairs[pairs.length] = written(get(init, keys[i]))
}
}
return pairs
}
let linkedParams
let listOf
let replaceList
class URLSearchParams extends Unserialisable {
#list
#changed = () => {}
static {
linkedParams = (list, changed) => {
const params = new URLSearchParams()
params.#list = list
params.#changed = changed
return params
}
listOf = (params) => params.#list
replaceList = (params, list) => {
params.#list = list
}
}
constructor(init) {
super()
this.#list = init !== null && typeof init === 'object' && #list in init ? this.#copy(init.#list) : pairsOf(init)
}
#copy(list) {
const copy = []
for (let i = 0; i < list.length; i += 1) copy[i] = list[i]
return copy
}
#keep(wanted) {
const kept = []
for (let i = 0; i < this.#list.length; i += 2) {
if (!wanted(this.#list[i], this.#list[i + 1])) continue
kept[kept.length] = this.#list[i]
kept[kept.length] = this.#list[i + 1]
}
this.#list = kept
this.#changed()
}
#indexOf(name, value) {
for (let i = 0; i < this.#list.length; i += 2)
if (this.#list[i] === name && (value === undefined || this.#list[i + 1] === value)) return i
return -1
}
get size() {
return this.#list.length / 2
}
append(name, value) {
need('append', arguments.length, 2)
const texts = [written(name), written(value)]
this.#list[this.#list.length] = texts[0]
this.#list[this.#list.length] = texts[1]
this.#changed()
}
delete(name, value) {
need('delete', arguments.length, 1)
const wantedName = written(name)
const wantedValue = value === undefined ? undefined : written(value)
this.#keep((has, hasValue) => has !== wantedName || (wantedValue !== undefined && hasValue !== wantedValue))
}
get(name) {
need('get', arguments.length, 1)
const at = this.#indexOf(written(name))
return at < 0 ? null : this.#list[at + 1]
}
getAll(name) {
need('getAll', arguments.length, 1)
const wanted = written(name)
const found = []
for (let i = 0; i < this.#list.length; i += 2)
if (this.#list[i] === wanted) found[found.length] = this.#list[i + 1]
return found
}
has(name, value) {
need('has', arguments.length, 1)
return this.#indexOf(written(name), value === undefined ? undefined : written(value)) >= 0
}
set(name, value) {
need('set', arguments.length, 2)
const wanted = written(name)
const text = written(value)
const at = this.#indexOf(wanted)
let seen = at < 0
if (seen) {
this.#list[this.#list.length] = wanted
this.#list[this.#list.length] = text
this.#changed()
return
}
this.#list[at + 1] = text
this.#keep((has) => has !== wanted || (!seen && (seen = true)))
}
sort() {
const entries = []
for (let i = 0; i < this.#list.length; i += 2)
entries[entries.length] = { name: this.#list[i], value: this.#list[i + 1] }
apply(sort, entries, [(a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)])
const list = []
for (let i = 0; i < entries.length; i += 1) {
list[2 * i] = entries[i].name
list[2 * i + 1] = entries[i].value
}
this.#list = list
this.#changed()
}
forEach(each, self) {
if (typeof each !== 'function') throw new NativeTypeError('forEach needs a function')
for (let i = 0; i < this.#list.length; i += 2) apply(each, self, [this.#list[i + 1], this.#list[i], this])
}
*entries() {
for (let i = 0; i < this.#list.length; i += 2) yield [this.#list[i], this.#list[i + 1]]
}
*keys() {
for (let i = 0; i < this.#list.length; i += 2) yield this.#list[i]
}
*values() {
for (let i = 0; i < this.#list.length; i += 2) yield this.#list[i + 1]
}
toString() {
return call('paramsWrite', this.#list)
}
}
const partsOf = (url, base) => call('urlParts', written(url), base === undefined ? undefined : written(base))
let knownParts
class URL extends Unserialisable {
#parts
#params
#stale = false
constructor(url, base) {
super()
const known = knownParts
knownParts = undefined
if (known === undefined) need('URL', arguments.length, 1)
const parts = known ?? partsOf(url, base)
if (parts === null) throw invalid(url)
this.#parts = parts
}
static canParse(url, base) {
need('canParse', arguments.length, 1)
return partsOf(url, base) !== null
}
static parse(url, base) {
need('parse', arguments.length, 1)
const parts = partsOf(url, base)
if (parts === null) return null
knownParts = parts
return new URL(url)
}
#fresh() {
if (this.#stale) {
this.#parts = call('urlSetParams', this.#parts.href, listOf(this.#params))
this.#stale = false
}
return this.#parts
}
#set(key, value) {
const text = written(value)
let parts
try {
parts = call('urlSet', this.#fresh().href, key, text)
} catch (thrown) {
throw key === 'href' && partsOf(text) === null ? invalid(text) : thrown
}
const changed = parts.search !== this.#parts.search
this.#parts = parts
if (changed && this.#params !== undefined) replaceList(this.#params, pairsOf(parts.search))
}
get href() {
return this.#fresh().href
}
set href(value) {
this.#set('href', value)
}
get origin() {
return this.#parts.origin
}
get protocol() {
return this.#parts.protocol
}
set protocol(value) {
this.#set('protocol', value)
}
get username() {
return this.#parts.username
}
set username(value) {
this.#set('username', value)
}
get password() {
return this.#parts.password
}
set password(value) {
this.#set('password', value)
}
get host() {
return this.#parts.host
}
set host(value) {
this.#set('host', value)
}
get hostname() {
return this.#parts.hostname
}
set hostname(value) {
this.#set('hostname', value)
}
get port() {
return this.#parts.port
}
set port(value) {
this.#set('port', value)
}
get pathname() {
return this.#fresh().pathname
}
set pathname(value) {
this.#set('pathname', value)
}
get search() {
return this.#fresh().search
}
set search(value) {
this.#set('search', value)
}
get hash() {
return this.#parts.hash
}
set hash(value) {
this.#set('hash', value)
}
get searchParams() {
if (this.#params === undefined)
this.#params = linkedParams(pairsOf(this.#parts.search), () => {
this.#stale = true
})
return this.#params
}
toString() {
return this.#fresh().href
}
toJSON() {
return this.#fresh().href
}
}
function invalid(input) {
const error = new NativeTypeError('Invalid URL')
error.code = 'ERR_INVALID_URL'
error.input = \`\${input}\`
return error
}
const install = (type, name) => {
defineProperty(type.prototype, Symbol.toStringTag, { value: name, configurable: true })
defineProperty(globalThis, name, { value: type, writable: true, configurable: true })
}
defineProperty(URLSearchParams.prototype, iteratorKey, {
value: URLSearchParams.prototype.entries,
writable: true,
configurable: true,
})
install(URL, 'URL')
install(URLSearchParams, 'URLSearchParams')
})()
`

export const urlModule = `
const call = callHost
export const { URL, URLSearchParams } = globalThis
export const parse = (value, base) => call('urlRecords', value, base)
`

export const userAgentModule = `
const call = callHost
export const parse = (value) => call('userAgent', value)
`

export const uuidModule = `
const call = callHost
export const v4 = (count) => call('uuidV4', count)
export const v5 = (name, namespace) => call('uuidV5', name, namespace)
export const v7 = (count) => call('uuidV7', count)
`

export const v8Globals = `
;( guardsLists) => {
const { defineProperty } = Object
const { apply } = Reflect
delete ( (globalThis).WebAssembly)
delete ( (globalThis).Intl)
for (const name of [...'123456789']
.map((digit) => \`$\${digit}\`)
.concat('input', '$_', 'lastMatch', '$&', 'lastParen', '$+', 'leftContext', '$\`', 'rightContext', "$'"))
delete RegExp[name]
const registry = FinalizationRegistry.prototype
const { unregister } = registry
defineProperty(registry, 'register', {
value: {
register(target, _held) {
apply(unregister, this, [target])
},
}.register,
writable: true,
enumerable: false,
configurable: true,
})
const errors = (Error)
errors.stackTraceLimit = 25
const toText = Error.prototype.toString
const matchText = String.prototype.match
const hostFile = /^(?:file:|node:|\\/.*\\.[cm]?[jt]s$)/
const shown = (error, sites) => {
let stack = 'Error'
try {
stack = apply(toText, error, [])
} catch {}
for (let i = 0; i < sites.length; i += 1) {
const file = sites[i].getFileName()
if (typeof file !== 'string' || apply(matchText, file, [hostFile]) === null) stack += \`\\n    at \${sites[i]}\`
}
return stack
}
defineProperty(Error, 'prepareStackTrace', { value: shown, writable: true, enumerable: false, configurable: true })
const plain = {
localeCompare(other) {
const [a, b] = [this.normalize(), \`\${other}\`.normalize()]
let i = 0
while (i < a.length && a[i] === b[i]) i += 1
if (i > 0 && a[i - 1] >= '\\ud800' && a[i - 1] < '\\udc00') i -= 1
const [left = -1, right = -1] = [a.codePointAt(i), b.codePointAt(i)]
return left < right ? -1 : left > right ? 1 : 0
},
toLocaleUpperCase() {
return this.toUpperCase()
},
toLocaleLowerCase() {
return this.toLowerCase()
},
}
for (const name of Object.keys(plain))
defineProperty(String.prototype, name, {
value: plain[name],
writable: true,
enumerable: false,
configurable: true,
})
if (!guardsLists) return
const lengthMax = 2 ** 25
const checked = (list) => {
if (list !== null && list !== undefined && list.length > lengthMax)
throw new RangeError(\`Invalid array length: user code may have lists of at most \${lengthMax} elements\`)
}
const guard = (target, name, listOf) => {
const native = target[name]
const guarded = {
[name](...args) {
checked(listOf(this, args))
return apply(native, this, args)
},
}[name]
defineProperty(target, name, { value: guarded, writable: true, enumerable: false, configurable: true })
defineProperty(guarded, 'length', { value: native.length, configurable: true })
}
const unguarded = ['constructor', 'keys', 'values', 'entries', 'push', 'pop', 'at']
for (const name of Object.getOwnPropertyNames(Array.prototype))
if (typeof Array.prototype[name] === 'function' && !unguarded.includes(name))
guard(Array.prototype, name, (list) => list)
guard(Array, 'from', (_, [list]) => list)
}
`
