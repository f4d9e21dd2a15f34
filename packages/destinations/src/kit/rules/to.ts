import { InvariantError, type JsonObject, type JsonValue } from '@sluice/core'
import { type KeyPath, type KeyPathText, toKeyPath } from './key-path.ts'
import type { Condition, Converter, EachRule, PathSource, RestRule, Rule, SetRule, ValueSource } from './rule.ts'

/** A key path, or an ordered list of them (usually a generic field). */
type Sources = readonly (string | readonly string[])[]

/** A rule that can be refined. Each method returns a new rule. */
export interface SetRuleBuilder extends SetRule {
  /** Converts the value with these functions, in this order. */
  as(...converters: readonly Converter[]): SetRuleBuilder
  /** Sets a fallback, unconverted, for undefined and null. */
  or(fallback: JsonValue): SetRuleBuilder
  /** Fails the event when there is no value to set. */
  required(): SetRuleBuilder
  when(condition: Condition): SetRuleBuilder
}

interface RestRuleBuilder extends RestRule {
  /** Leaves out members by name. */
  without(...keys: readonly string[]): RestRuleBuilder
  /** Leaves out members that other rules of the same mapping read. What remains are the custom fields. */
  unmapped(): RestRuleBuilder
  /** Flattens nested members to one level: see `flatten`. */
  flat(): RestRuleBuilder
  /** Sets nothing when no member is left, instead of an empty object. */
  unlessEmpty(): RestRuleBuilder
  when(condition: Condition): RestRuleBuilder
}

/**
 * Starts a rule: `to('email').from(generic.email).as(trim, lower).required()`.
 *
 * @param path target of the value. Without it, an object is copied into the mapped object itself
 * (`to().rest('traits')`).
 */
export function to(path: KeyPathText = []) {
  const target = toKeyPath(path)
  const set = (value: ValueSource) => {
    if (target.length === 0) throw new InvariantError('to() needs a path to set, except before rest().')
    return settable({ kind: 'set', to: target, value, converters: [], isRequired: false })
  }
  return {
    /**
     * Takes a value of the mapped object: at one path, or the first of several paths whose value is neither '' nor
     * null.
     */
    from: (...sources: Sources) => set(pathsOf('source', sources)),
    /** Takes a value of the settings. */
    setting: (...sources: Sources) => set(pathsOf('settings', sources)),
    value: (value: JsonValue) => set({ of: 'constant', value }),
    /** Computes a value that paths cannot express. The function must be pure; name it after its result. */
    compute: (compute: (source: JsonObject, settings: JsonObject) => JsonValue | undefined) =>
      set({ of: 'computed', compute }),
    /** Copies the members of an object; without a path, those of the mapped object itself. */
    rest: (...sources: Sources) =>
      restRule({
        kind: 'rest',
        to: target,
        value: sources.length === 0 ? { of: 'source', paths: [[]], skipsBlank: false } : pathsOf('source', sources),
        omitted: new Set(),
        isUnmapped: false,
        isFlat: false,
        skipsEmpty: false,
      }),
    /** Maps each object of a list with `rules`, whose paths start at the object. */
    each: (source: string | readonly string[], rules: readonly Rule[]): EachRule => ({
      kind: 'each',
      to: target,
      value: pathsOf('source', [source]),
      rules,
    }),
  }
}

function pathsOf(of: PathSource['of'], sources: Sources): PathSource {
  const paths: readonly KeyPath[] = sources.flat().map(toKeyPath)
  if (paths.length === 0) throw new InvariantError('A rule needs a path to read from.')
  return { of, paths, skipsBlank: sources.length > 1 || typeof sources[0] !== 'string' }
}

function settable(rule: SetRule): SetRuleBuilder {
  return {
    ...rule,
    as: (...converters) => settable({ ...rule, converters: [...rule.converters, ...converters] }),
    or: (fallback) => settable({ ...rule, fallback }),
    required: () => settable({ ...rule, isRequired: true }),
    when: (condition) => settable({ ...rule, condition }),
  }
}

function restRule(rule: RestRule): RestRuleBuilder {
  return {
    ...rule,
    without: (...keys) => restRule({ ...rule, omitted: new Set([...rule.omitted, ...keys]) }),
    unmapped: () => restRule({ ...rule, isUnmapped: true }),
    flat: () => restRule({ ...rule, isFlat: true }),
    unlessEmpty: () => restRule({ ...rule, skipsEmpty: true }),
    when: (condition) => restRule({ ...rule, condition }),
  }
}
