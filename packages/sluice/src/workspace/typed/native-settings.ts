// biome-ignore-all format: generated
// Written by `pnpm products` from the settings of all destinations; change these and run it.

import type { JsonValue } from '@sluice/core'
import type { FromEvent } from './from-event.ts'

/** Settings of every destination type: which events it may get. No event decides them. */
export interface GateSettings {
  /** Track events to drop, with eventFilteringOption blacklistedEvents. */
  readonly blacklistedEvents?: readonly { readonly eventName: string }[]
  /** The only track events to accept, with eventFilteringOption whitelistedEvents. */
  readonly whitelistedEvents?: readonly { readonly eventName: string }[]
  /** The list that applies; neither when disable or absent. */
  readonly eventFilteringOption?: 'disable' | 'whitelistedEvents' | 'blacklistedEvents'
  /**
   * Consents that the destination needs, by provider. Events of users who denied one are dropped. One list, or one for
   * each kind of source.
   */
  readonly consentManagement?: readonly ({ readonly provider: 'oneTrust' | 'ketch' | 'iubenda' | 'custom'; readonly consents: readonly ({ readonly consent: string } | string)[]; readonly resolutionStrategy?: 'and' | 'or' | '' })[] | { readonly [name: string]: readonly ({ readonly provider: 'oneTrust' | 'ketch' | 'iubenda' | 'custom'; readonly consents: readonly ({ readonly consent: string } | string)[]; readonly resolutionStrategy?: 'and' | 'or' | '' })[] }
  /**
   * Older form of consentManagement: categories of OneTrust. All are needed. One list, or one for each kind of source.
   */
  readonly oneTrustCookieCategories?: readonly ({ readonly oneTrustCookieCategory: string } | string)[] | { readonly [name: string]: readonly ({ readonly oneTrustCookieCategory: string } | string)[] }
  /** Older form of consentManagement: purposes of Ketch. One is enough. One list, or one for each kind of source. */
  readonly ketchConsentPurposes?: readonly ({ readonly purpose: string } | string)[] | { readonly [name: string]: readonly ({ readonly purpose: string } | string)[] }
}

/** Settings of Adjust, `ADJ`. */
interface AdjustSettings extends GateSettings {
  /** Token of the app in Adjust. */
  readonly appToken: string
  /** Tokens of events in Adjust. Events that are not listed fail. */
  readonly customMappings?: readonly { readonly from?: string; readonly to?: string }[]
  /** For SDKs: seconds to wait before the first session is sent. */
  readonly delay?: string | number
  /** Sends to the production environment instead of the sandbox. Default: `false`. */
  readonly environment?: boolean | FromEvent
  /**
   * Sends advertising ids also when the device says that its user limits tracking (adTrackingEnabled is false), as
   * RudderStack does. Default: `false`.
   */
  readonly sendLimitedAdvertisingIds?: boolean | FromEvent
  /** Properties that Adjust passes on to partners. */
  readonly partnerParamsKeys?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'parameters' | FromEvent })[]
}

/** Settings of Airship, `AIRSHIP`. */
interface AirshipSettings extends GateSettings {
  /** Token of the Airship project, with all access. Secret. */
  readonly apiKey: string
  /** App key of the project. Needed to send track events. Secret. */
  readonly appKey?: string
  /** Sends to the European data center of Airship. Default: `false`. */
  readonly dataCenter?: boolean | FromEvent
  /** Traits that are times, such as createdAt or trip.start. They are sent in the form of Airship. */
  readonly timestampAttributes?: readonly { readonly timestampAttribute?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'customEvent' | FromEvent })[]
}

/** Settings of Algolia, `ALGOLIA`. */
interface AlgoliaSettings extends GateSettings {
  /** Search API key of the Algolia application. Secret. */
  readonly apiKey: string
  /** Id of the application. Secret. */
  readonly applicationId: string
  /** Types of events in Algolia: click, view or conversion. They win over properties.eventType. */
  readonly eventTypeSettings?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'insightsFields' | FromEvent })[]
}

/** Settings of Amplitude, `AM`. */
interface AmplitudeSettings extends GateSettings {
  /** Key of the Amplitude project. */
  readonly apiKey: string
  /** Trait with the type of a group. */
  readonly groupTypeTrait?: string
  /** Trait with the name of a group. */
  readonly groupValueTrait?: string
  /** For browser SDKs: sends every page. Default: `false`. */
  readonly trackAllPages?: boolean | FromEvent
  /** For browser SDKs: sends pages that have a category. Default: `false`. */
  readonly trackCategorizedPages?: boolean | FromEvent
  /** For browser SDKs: sends pages that have a name. Default: `false`. */
  readonly trackNamedPages?: boolean | FromEvent
  /** Numeric traits that are added to the values in Amplitude. */
  readonly traitsToIncrement?: readonly { readonly traits: string }[]
  /** Traits that are set once and never overwritten. */
  readonly traitsToSetOnce?: readonly { readonly traits: string }[]
  /** Traits that are appended to a list. */
  readonly traitsToAppend?: readonly { readonly traits: string }[]
  /** Traits that are prepended to a list. */
  readonly traitsToPrepend?: readonly { readonly traits: string }[]
  /** Keeps products in their event instead of sending an event for each. Default: `false`. */
  readonly trackProductsOnce?: boolean | FromEvent
  /** Sends the revenue with each product instead of once for the event. Default: `false`. */
  readonly trackRevenuePerProduct?: boolean | FromEvent
  /** For browser SDKs: version of the app. */
  readonly versionName?: string
  /** Secret key of the project. Only needed to delete users. Secret. */
  readonly apiSecret?: string
  /** Region of the data. Default: `"standard"`. */
  readonly residencyServer?: 'standard' | 'EU' | FromEvent
  /** Reads the brand of a device from context.device.brand. Default: `false`. */
  readonly mapDeviceBrand?: boolean | FromEvent
  /** Template for the names of page events, such as "Viewed {{ name }}". */
  readonly userProvidedPageEventString?: string
  /** Names page events by userProvidedPageEventString, or by the name of the page if it is empty. Default: `false`. */
  readonly useUserDefinedPageEventName?: boolean | FromEvent
  /** Template for the names of screen events, such as "Opened {{ name }}". */
  readonly userProvidedScreenEventString?: string
  /**
   * Names screen events by userProvidedScreenEventString, or by the name of the screen if it is empty. Default:
   * `false`.
   */
  readonly useUserDefinedScreenEventName?: boolean | FromEvent
  /** Sends user properties as $set, to combine them with other operations. Default: `false`. */
  readonly enableEnhancedUserOperations?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'event' | FromEvent })[]
}

/** Settings of AppsFlyer, `AF`. */
interface AppsFlyerSettings extends GateSettings {
  /** Kind of the key that events are sent with; the dev key when absent. */
  readonly authVersion?: 'v1' | 'v2' | FromEvent
  /** Token of the AppsFlyer account for sending events. Secret. */
  readonly s2sKey?: string
  /** Key of the AppsFlyer account for sending events. Secret. */
  readonly devKey?: string
  /** Partners that AppsFlyer does not share events with: all, or a list of names. */
  readonly sharingFilter?: string | readonly string[]
  /** Names screen and page events after the viewed screen or page. Default: `false`. */
  readonly useRichEventName?: boolean | FromEvent
  /** Sends custom properties at the root of the event value instead of in an object. Default: `false`. */
  readonly addPropertiesAtRoot?: boolean | FromEvent
  /** Also sends the currency in the event value, as af_currency. It is always beside it. Default: `false`. */
  readonly afCurrencyAtRoot?: boolean | FromEvent
  /** Package name of the Android app. */
  readonly androidAppId?: string
  /** Id of the app in the App Store, without the prefix "id". */
  readonly appleAppId?: string
  /**
   * Sends advertising ids also when the device says that its user limits tracking (adTrackingEnabled is false), as
   * RudderStack does. Default: `false`.
   */
  readonly sendLimitedAdvertisingIds?: boolean | FromEvent
  /** Addresses that get the status of deletions: at most 3, separated by commas. */
  readonly statusCallbackUrls?: string
  /** API token of the account. Only needed to delete users. Secret. */
  readonly apiToken?: string
  /** Properties that are sent at the root of the event value. */
  readonly listOfProps?: readonly { readonly property?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'facts' | FromEvent })[]
}

/** Settings of Attentive Tag, `ATTENTIVE_TAG`. */
interface AttentiveTagSettings extends GateSettings {
  /** Key of the app in Attentive. Secret. */
  readonly apiKey: string
  /** Id of the sign-up unit that subscribes users. Events may have their own. */
  readonly signUpSourceId?: string | null
  /** Sends identifiers and attributes of identified users, instead of subscribing them. Default: `false`. */
  readonly enableNewIdentifyFlow?: boolean | FromEvent
}

/** Settings of Azure Event Hubs, `AZURE_EVENT_HUB`. */
interface AzureEventHubsSettings extends GateSettings {
  /** Name of the event hub. */
  readonly topic: string
  /** Host and port of the namespace. Allowed: host:port, without a template. */
  readonly bootstrapServer: string
  /** Connection string of a policy that may send. Secret. */
  readonly eventHubsConnectionString: string
}

/** Settings of Branch Metrics, `BRANCH`. */
interface BranchMetricsSettings extends GateSettings {
  /** Key of the Branch app. Secret. */
  readonly branchKey: string
  /** Names of events in Branch, such as PURCHASE. They replace the names that events otherwise get. */
  readonly eventsMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Sends advertising ids also when the device says that its user limits tracking (adTrackingEnabled is false), as
   * RudderStack does. Default: `false`.
   */
  readonly sendLimitedAdvertisingIds?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'userData' | FromEvent })[]
}

/** Settings of Braze, `BRAZE`. */
interface BrazeSettings extends GateSettings {
  /** Identifier of the app in Braze, for its SDKs. */
  readonly appKey?: string
  /** Braze instance of the workspace. */
  readonly dataCenter?: string
  /**
   * Key for the REST API of Braze. Needs the permissions users.track and users.identify, and users.delete to delete
   * users. Secret.
   */
  readonly restApiKey?: string
  /** Treats group events as subscriptions to subscription groups. Default: `false`. */
  readonly enableSubscriptionGroupInGroupCall?: boolean | FromEvent
  /** Treats traits with add, update and remove as operations on lists of objects. Default: `false`. */
  readonly enableNestedArrayOperations?: boolean | FromEvent
  /** Asks Braze for each user first, and leaves out traits that Braze already has. Default: `false`. */
  readonly supportDedup?: boolean | FromEvent
  /** Sends purchases with all properties of their product. Default: `false`. */
  readonly sendPurchaseEventWithExtraProperties?: boolean | FromEvent
  /** For SDKs: uses the identifier of the platform instead of appKey. Default: `false`. */
  readonly usePlatformSpecificApiKeys?: boolean | FromEvent
  /** For SDKs on Android: identifier of the app. */
  readonly androidApiKey?: string
  /** For SDKs on iOS: identifier of the app. */
  readonly iOSApiKey?: string
  /** For browser SDKs: identifier of the app. */
  readonly webApiKey?: string
  /** Sends e-commerce events under the names and with the properties that Braze recommends. Default: `false`. */
  readonly useEcommerceRecommendedEvents?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'product_viewed' | 'cart_updated' | 'checkout_started' | 'order_placed' | 'order_refunded' | 'order_cancelled' | 'line' | 'purchase' | FromEvent })[]
}

/** Settings of CleverTap, `CLEVERTAP`. */
interface CleverTapSettings extends GateSettings {
  /** Id of the CleverTap project. */
  readonly accountId?: string
  /** For SDKs: token of the project. Secret. */
  readonly accountToken?: string
  /** Passcode of the project. Secret. */
  readonly passcode?: string
  /**
   * Region of the project, such as in1 or us1; Europe when none or absent. Allowed: a region of CleverTap, such as in1.
   */
  readonly region?: string
  /** Accepts events of users without a userId. Default: `false`. */
  readonly trackAnonymous?: boolean | FromEvent
  /** Sends the anonymousId as the CleverTap id of the device, and uploads push tokens of devices. Default: `false`. */
  readonly enableObjectIdMapping?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'profileFields' | FromEvent })[]
}

/** Settings of Confluent Cloud, `CONFLUENT_CLOUD`. */
interface ConfluentCloudSettings extends GateSettings {
  /** Host and port of the cluster. Allowed: host:port, without a template. */
  readonly bootstrapServer: string
  /** Key of a service account. Secret. */
  readonly apiKey: string
  /** Secret of the key. Secret. */
  readonly apiSecret: string
  /** Topic for events that no table sends elsewhere. */
  readonly topic: string
  /** Sends events to topics by their name or type; others go to the topic above. Default: `false`. */
  readonly enableMultiTopic?: boolean | FromEvent
  /** Topics for identify, page, screen, group and alias events, by type. */
  readonly eventTypeToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** Topics for track events, by name. */
  readonly eventToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
}

/** Settings of Console, `CONSOLE`. */
interface ConsoleSettings extends GateSettings {
  /** Stream for the lines. Default: `"stdout"`. */
  readonly stream?: 'stdout' | 'stderr'
}

/** Settings of Custify, `CUSTIFY`. */
interface CustifySettings extends GateSettings {
  /** API key of the Custify account. Secret. */
  readonly apiKey?: string
}

/** Settings of Customer IO, `CUSTOMERIO`. */
interface CustomerIOSettings extends GateSettings {
  /** Key of the Track API. Secret. */
  readonly apiKey: string
  /** Site id for the key. */
  readonly siteID: string
  /** Region of the workspace. Default: `"US"`. */
  readonly datacenter?: 'US' | 'EU' | FromEvent
  /** Track event that registers a device, besides those of the app lifecycle. */
  readonly deviceTokenEventName?: string
  /** v2 sends everything in batches; v1 batches only groups and records. Default: `"v1"`. */
  readonly apiVersion?: 'v1' | 'v2' | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'v1' | 'v2' | FromEvent })[]
}

/** Settings of Emarsys, `EMARSYS`. */
interface EmarsysSettings extends GateSettings {
  /** Name of an API user of the Emarsys account. */
  readonly emersysUsername?: string
  /** Secret of the API user. Secret. */
  readonly emersysUserSecret?: string
  /** Id of the field that identifies contacts; the email field when empty. */
  readonly emersysCustomIdentifier?: string
  /** Id of the contact list. */
  readonly defaultContactList?: string
  /** Traits and their Emarsys fields. */
  readonly fieldMapping?: readonly { readonly rudderProperty?: string; readonly emersysProperty?: string }[]
}

/** Settings of Engage, `ENGAGE`. */
interface EngageSettings extends GateSettings {
  /** Public key of the Engage account. */
  readonly publicKey?: string
  /** Private key of the account. Secret. */
  readonly privateKey?: string
}

/** Settings of Amazon EventBridge, `EVENTBRIDGE`. */
interface AmazonEventBridgeSettings extends GateSettings {
  /** AWS region. Allowed: the name of a region. Default: `"us-east-1"`. */
  readonly region?: string
  /** Id of an access key. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /**
   * Address of a compatible server; AWS when empty. Allowed: an http or https address without a path. Default: `""`.
   */
  readonly endPoint?: string
  /** Name or ARN of the event bus; the default one when empty. */
  readonly eventBusName?: string
  /** Text that rules use to recognise the events. EventBridge refuses events without one. Default: `""`. */
  readonly detailType?: string
  /** ARNs of resources that the events are about. */
  readonly resourceID?: string | readonly { readonly arn?: string }[]
}

/** Settings of Facebook Pixel, `FACEBOOK_PIXEL`. */
interface FacebookPixelSettings extends GateSettings {
  /** Properties that are left out of events, or hashed. Adds to those that Sluice leaves out itself. */
  readonly blacklistPiiProperties?: readonly ({ readonly blacklistPiiProperties?: string; readonly blacklistPiiHash?: boolean | FromEvent })[]
  /** Id of the pixel that receives the events. */
  readonly pixelId: string
  /** Standard events of Meta for your events. */
  readonly eventsToEvents?: readonly { readonly from?: string; readonly to?: string }[]
  /** Property that becomes the value of Product Viewed and Product Added. Default: `""`. */
  readonly valueFieldIdentifier?: 'properties.price' | 'properties.value' | '' | FromEvent
  /** Sends identify events, which otherwise fail. Default: `false`. */
  readonly advancedMapping?: boolean | FromEvent
  /** Properties that are sent although they usually contain personal data, such as email. */
  readonly whitelistPiiProperties?: readonly { readonly whitelistPiiProperties?: string }[]
  /** Sends context.dataProcessingOptions: options, country and state. Default: `false`. */
  readonly limitedDataUSage?: boolean | FromEvent
  /** Business access token for the Conversions API. Secret. */
  readonly accessToken: string
  /** Sends events to the test view of Events Manager. Default: `false`. */
  readonly testDestination?: boolean | FromEvent
  /** Code of the test view. */
  readonly testEventCode?: string
  /** Names all pages and screens PageView. Default: `false`. */
  readonly standardPageCall?: boolean | FromEvent
  /** Leaves out the hashed user id. Default: `false`. */
  readonly removeExternalId?: boolean | FromEvent
  /** For browser SDKs: uses Meta's newer names of user data. Default: `false`. */
  readonly useUpdatedMapping?: boolean | FromEvent
  /** Content types of Meta for categories of products. */
  readonly categoryToContent?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'serverEvent' | 'hashedUser' | 'user' | FromEvent })[]
}

/** Settings of Facebook Custom Audience, `FB_CUSTOM_AUDIENCE`. */
interface FacebookCustomAudienceSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Token of a user who may change the audience. Secret. */
  readonly accessToken: string
  /** Secret of the app. With it, requests prove that they come from the app. Secret. */
  readonly appSecret?: string
  /** Fields of people that are sent. */
  readonly userSchema?: string | readonly string[]
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly isHashRequired?: boolean | FromEvent
  /** Leaves it to Meta to check the data's format. Default: `false`. */
  readonly isRaw?: boolean | FromEvent
  /** Sends data in the sender's format, which must be the one that Meta documents. Default: `false`. */
  readonly disableFormat?: boolean | FromEvent
  /** Type of the data source; NA for none. */
  readonly type?: string
  /** Subtype of the data source; NA for none. */
  readonly subType?: string
  /** Id of the ad account that owns the audience. */
  readonly adAccountId?: string
  /** Id of the audience. */
  readonly audienceId?: string
}

/** Settings of File, `FILE`. */
interface FileSettings extends GateSettings {
  /** Folder of the files, relative to the working directory; created if it does not exist. */
  readonly folder: string
  /**
   * Prefix of file names, followed by the start time of the file and .ndjson. Allowed: at most 100 letters, digits and
   * _ . - not beginning with . or -. Default: `"events"`.
   */
  readonly fileName?: string
  /**
   * Maximum size of a file in bytes; then a new one is started. Allowed: a whole number of at least 1024. Default:
   * `104857600`.
   */
  readonly rotateBytes?: number
  /**
   * Maximum age of a file in minutes; then a new one is started. Allowed: a whole number of at least 1. Default:
   * `1440`.
   */
  readonly rotateMinutes?: number
  /** Events count as delivered only once they are on disk; with false, once the system has them. Default: `true`. */
  readonly fsync?: boolean
}

/** Settings of Amazon Kinesis Firehose, `FIREHOSE`. */
interface AmazonKinesisFirehoseSettings extends GateSettings {
  /** AWS region. Allowed: the name of a region. Default: `"us-east-1"`. */
  readonly region?: string
  /** Id of an access key. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /**
   * Address of a compatible server; AWS when empty. Allowed: an http or https address without a path. Default: `""`.
   */
  readonly endPoint?: string
  /** Delivery streams by the name of track events, by message type, or * for all others. */
  readonly mapEvents?: readonly { readonly from?: string; readonly to?: string }[]
}

/** Settings of Google Analytics 4 (GA4), `GA4`. */
interface GoogleAnalytics4GA4Settings extends GateSettings {
  /** Secret of the data stream for the Measurement Protocol. Secret. */
  readonly apiSecret: string
  /** Sends events to Google's validation server, which reports problems and stores nothing. Default: `false`. */
  readonly debugMode?: boolean | FromEvent
  /** Kind of data stream: gtag for a web site, firebase for an app. Default: `"gtag"`. */
  readonly typesOfClient?: 'gtag' | 'firebase' | FromEvent
  /** Id of the web data stream, with gtag. */
  readonly measurementId?: string | null
  /** Id of the Firebase app, with firebase. */
  readonly firebaseAppId?: string | null
  /** Traits that are not sent as user properties. */
  readonly piiPropertiesToIgnore?: readonly { readonly piiProperty: string }[]
  /**
   * Limits of the property: what exceeds them is left out. With none, everything is sent, as RudderStack does, and
   * Google ignores the rest without a word. Default: `"standard"`.
   */
  readonly parameterLimits?: 'none' | 'standard' | 'analytics360' | FromEvent
  /** For browser SDKs: address of Google's script. */
  readonly sdkBaseUrl?: string
  /** For browser SDKs: address of a tagging server. */
  readonly serverContainerUrl?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'message' | 'session' | 'listed' | 'lone' | FromEvent })[]
}

/** Settings of Google Ads Enhanced Conversions, `GOOGLE_ADWORDS_ENHANCED_CONVERSIONS`. */
interface GoogleAdsEnhancedConversionsSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Id of the Google Ads account that gets the data. */
  readonly customerId: string | number
  /** Names of events that are conversions, as Google Ads has them. Other events fail. */
  readonly listOfConversions?: readonly { readonly conversions?: string }[]
  /** Set when the account is reached through a manager account. Default: `false`. */
  readonly subAccount?: boolean | FromEvent
  /** Id of the manager account. */
  readonly loginCustomerId?: string | number
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly requireHash?: boolean | FromEvent
  /** Kind of adjustment. Only ENHANCEMENT is sent. */
  readonly adjustmentType?: string
  /** Token of the Google Ads API, from the API center of a manager account. Google's API requires it. Secret. */
  readonly developerToken?: string
  /** Id of an OAuth client of Google. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may send the data. Secret. */
  readonly refreshToken?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'adjustment' | FromEvent })[]
}

/** Settings of Google Ads Offline Conversions, `GOOGLE_ADWORDS_OFFLINE_CONVERSIONS`. */
interface GoogleAdsOfflineConversionsSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Id of the Google Ads account that gets the data. */
  readonly customerId: string | number
  /** Set when the account is reached through a manager account. Default: `false`. */
  readonly subAccount?: boolean | FromEvent
  /** Id of the manager account. */
  readonly loginCustomerId?: string | number
  /** Types of your events. An event that is listed twice is sent twice. */
  readonly eventsToOfflineConversionsTypeMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /** Names of the conversion actions in Google Ads for your events. */
  readonly eventsToConversionsNamesMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /** Properties that are sent as custom variables of conversions. */
  readonly customVariables?: readonly { readonly from?: string; readonly to?: string }[]
  /** FIRST_PARTY, THIRD_PARTY or none, unless the event says so itself. */
  readonly UserIdentifierSource?: string
  /** WEB, APP or none, unless the event says so itself. */
  readonly conversionEnvironment?: string
  /** What users are identified by, if an event has both. Default: `"email"`. */
  readonly defaultUserIdentifier?: 'email' | 'phone' | FromEvent
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly hashUserIdentifier?: boolean | FromEvent
  /** Google checks store conversions without storing them. Default: `false`. */
  readonly validateOnly?: boolean | FromEvent
  /** UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN. */
  readonly userDataConsent?: string
  /** UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN. */
  readonly personalizationConsent?: string
  /** Token of the Google Ads API, from the API center of a manager account. Google's API requires it. Secret. */
  readonly developerToken?: string
  /** Id of an OAuth client of Google. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may send the data. Secret. */
  readonly refreshToken?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'clickConversion' | 'callConversion' | 'addressInfo' | FromEvent })[]
}

/** Settings of Google Ads Remarketing Lists (Customer Match), `GOOGLE_ADWORDS_REMARKETING_LISTS`. */
interface GoogleAdsRemarketingListsCustomerMatchSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Former name of the audience id. Not used. */
  readonly listId?: string
  /** Id of the Google Ads account that gets the data. */
  readonly customerId: string | number
  /** Id of the manager account. */
  readonly loginCustomerId?: string | number
  /** Set when the account is reached through a manager account. Default: `false`. */
  readonly subAccount?: boolean | FromEvent
  /** Identifiers of people that are sent, for lists of the type General. Default: all. */
  readonly userSchema?: readonly string[]
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly isHashRequired?: boolean | FromEvent
  /** What the list identifies people by. Default: `"General"`. */
  readonly typeOfList?: 'General' | 'userID' | 'mobileDeviceID' | FromEvent
  /** UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN. */
  readonly userDataConsent?: string
  /** UNSPECIFIED, GRANTED or DENIED. Other values are sent as UNKNOWN. */
  readonly personalizationConsent?: string
  /** Id of the list. */
  readonly audienceId?: string
  /** API of Google that receives the people. Default: `"googleAds"`. */
  readonly api?: 'googleAds' | 'dataManager' | FromEvent
  /** Token of the Google Ads API, from the API center of a manager account. Google's API requires it. Secret. */
  readonly developerToken?: string
  /** Id of an OAuth client of Google. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may send the data. Secret. */
  readonly refreshToken?: string
}

/** Settings of Google Analytics, `GA`. */
interface GoogleAnalyticsSettings extends GateSettings {
  /** Id of the property, such as UA-1234-5. */
  readonly trackingID?: string
  /** Id of a Google OAuth client. Needed to delete users. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may edit the property, with the scope analytics.user.deletion. Secret. */
  readonly refreshToken?: string
}

/** Settings of Google Pub/Sub, `GOOGLEPUBSUB`. */
interface GooglePubSubSettings extends GateSettings {
  /** Id of the Google Cloud project. Allowed: the id of a project. */
  readonly projectId: string
  /** Key of a service account that may publish, as JSON text. Secret. */
  readonly credentials: string
  /** Topics by the name of track events, by message type, or * for all others. */
  readonly eventToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** Attributes of messages: values of the event, by the same names as the topics. */
  readonly eventToAttributesMap?: readonly { readonly from?: string; readonly to?: string }[]
}

/** Settings of Heap.io, `HEAP`. */
interface HeapIoSettings extends GateSettings {
  /** Id of the Heap environment. */
  readonly appId: string
  /** Region of the environment; us when absent. */
  readonly dataResidency?: 'us' | 'eu' | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'userProperties' | 'trackedEvent' | FromEvent })[]
}

/** Settings of HTTP Webhook, `HTTP`. */
interface HTTPWebhookSettings extends GateSettings {
  /** Address of each request. Allowed: an http or https address without user and password. */
  readonly apiUrl: string
  /** Authentication of requests. Default: `"noAuth"`. */
  readonly auth?: 'noAuth' | 'basicAuth' | 'bearerTokenAuth' | 'apiKeyAuth' | FromEvent
  /** User name, with basicAuth. */
  readonly username?: string
  /** Password, with basicAuth. Secret. */
  readonly password?: string
  /** Token, with bearerTokenAuth. Secret. */
  readonly bearerToken?: string
  /** Name of the header, with apiKeyAuth. */
  readonly apiKeyName?: string
  /** Value of the header, with apiKeyAuth. Secret. */
  readonly apiKeyValue?: string
  /** Name of the root element, with format XML. Default: `"root"`. */
  readonly xmlRootKey?: string
  /** HTTP method of each request. Default: `"POST"`. */
  readonly method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE' | FromEvent
  /** Format of the body. Default: `"JSON"`. */
  readonly format?: 'JSON' | 'XML' | 'FORM' | FromEvent
  /**
   * Members of the body. They are not masked, so they must not contain secrets. Allowed: a list of at most 500 objects
   * with to and from.
   */
  readonly propertiesMapping?: readonly { readonly to?: string; readonly from?: string }[]
  /** Query parameters of the address. Allowed: a list of at most 500 objects with to and from. */
  readonly queryParams?: readonly { readonly to?: string; readonly from?: string }[]
  /** Headers of each request. Allowed: a list of at most 500 objects with to and from. */
  readonly headers?: readonly { readonly to?: string; readonly from?: string }[]
  /** Segments that are appended to the address. */
  readonly pathParams?: readonly { readonly path?: string }[]
  /** Sends several events as one JSON list. Default: `false`. */
  readonly isBatchingEnabled?: boolean | FromEvent
  /** Maximum of events in a request, with isBatchingEnabled. Default: `100`. */
  readonly maxBatchSize?: number | string
  /** Sends the whole event as the body. Default: `false`. */
  readonly isDefaultMapping?: boolean | FromEvent
}

/** Settings of HubSpot, `HS`. */
interface HubSpotSettings extends GateSettings {
  /** HubSpot has retired API keys. Default: `"legacyApiKey"`. */
  readonly authorizationType?: 'legacyApiKey' | 'newPrivateAppApi' | FromEvent
  /** Id of the account. The old API needs it for events. */
  readonly hubID?: string
  /** Key of the account. Secret. */
  readonly apiKey?: string
  /** Token of the private app. Secret. */
  readonly accessToken?: string
  /** Version of the HubSpot API. Default: `"legacyApi"`. */
  readonly apiVersion?: 'legacyApi' | 'newApi' | FromEvent
  /** Property of contacts by which a contact is found; email if the traits do not have it. */
  readonly lookupField?: string
  /** Track events to send with the new API, and their custom events in HubSpot. */
  readonly hubspotEvents?: readonly { readonly rsEventName?: string; readonly hubspotEventName?: string; readonly eventProperties?: readonly { readonly from?: string; readonly to?: string }[] }[]
  /** Has no effect by itself: it is a member of hubspotEvents, which RudderStack lists as a setting. */
  readonly rsEventName?: string
  /** Has no effect by itself: it is a member of hubspotEvents, which RudderStack lists as a setting. */
  readonly hubspotEventName?: string
  /** Has no effect by itself: it is a member of hubspotEvents, which RudderStack lists as a setting. */
  readonly eventProperties?: readonly { readonly from?: string; readonly to?: string }[]
  /** Not used: rows of a warehouse cannot associate objects with each other. Default: `false`. */
  readonly doAssociation?: boolean | FromEvent
}

/** Settings of Intercom, `INTERCOM`. */
interface IntercomSettings extends GateSettings {
  /** For SDKs: id of the Intercom workspace. */
  readonly appId?: string
  /** Access token of an Intercom app. Secret. */
  readonly apiKey?: string | null
  /** Region of the workspace. Default: `"standard"`. */
  readonly apiServer?: 'standard' | 'eu' | 'au' | FromEvent
  /** Version of the Intercom API. Intercom has retired v1. Default: `"v2"`. */
  readonly apiVersion?: 'v1' | 'v2' | FromEvent
  /** Uses the anonymousId when there is no userId. Default: `false`. */
  readonly sendAnonymousId?: boolean | FromEvent
  /** Version v1 only: updates the time when the user was last seen. Default: `true`. */
  readonly updateLastRequestAt?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'v1' | 'v2' | 'company' | 'event' | FromEvent })[]
}

/** Settings of Iterable, `ITERABLE`. */
interface IterableSettings extends GateSettings {
  /** Server-side API key of the Iterable project. Secret. */
  readonly apiKey?: string
  /** Region of the project. Default: `"USDC"`. */
  readonly dataCenter?: 'USDC' | 'EUDC' | FromEvent
  /** For SDKs: package name of the app. */
  readonly packageName?: string
  /** Creates a user with the userId when Iterable knows neither email nor userId. Default: `true`. */
  readonly preferUserId?: boolean | FromEvent
  /** Sends every page and screen. Default: `false`. */
  readonly trackAllPages?: boolean | FromEvent
  /** Sends pages and screens that have a name. Default: `false`. */
  readonly trackNamedPages?: boolean | FromEvent
  /** Sends pages as `Loaded a Page` and screens as `Loaded a Screen`. Default: `false`. */
  readonly mapToSingleEvent?: boolean | FromEvent
  /** Merges objects with existing ones of the profile. Default: `true`. */
  readonly mergeNestedObjects?: boolean | FromEvent
  /** Sends pages and screens that have a category. Default: `false`. */
  readonly trackCategorisedPages?: boolean | FromEvent
  /** Registers the devices and browsers of identified users. Nothing is registered without it. Secret. */
  readonly registerDeviceOrBrowserApiKey?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'user' | 'event' | 'view' | 'purchase' | 'item' | 'alias' | 'device' | 'browser' | FromEvent })[]
}

/** Settings of Apache Kafka, `KAFKA`. */
interface ApacheKafkaSettings extends GateSettings {
  /** Topic for events that no table sends elsewhere. */
  readonly topic: string
  /**
   * Host names of brokers to start from, separated by commas; each may have a port of its own. Allowed: host names,
   * without a template.
   */
  readonly hostName: string
  /** Port of brokers that are named without one. Allowed: a port. Default: `"9092"`. */
  readonly port?: string
  /** Connects over TLS. Default: `false`. */
  readonly sslEnabled?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /**
   * Signs in with user name and password. Without TLS, the mechanism Plain sends the password readable over the
   * network. Default: `false`.
   */
  readonly useSASL?: boolean
  /** How to sign in. Default: `"plain"`. */
  readonly saslType?: 'plain' | 'sha256' | 'sha512'
  /** Name to sign in with. */
  readonly username?: string
  /** Password to sign in with. Secret. */
  readonly password?: string
  /** Sends events to topics by their name or type; others go to the topic above. Default: `false`. */
  readonly enableMultiTopic?: boolean | FromEvent
  /** Topics for identify, page, screen, group and alias events, by type. */
  readonly eventTypeToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** Topics for track events, by name. */
  readonly eventToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** How batches of messages are compressed on their way to the brokers. Default: `"none"`. */
  readonly compression?: 'none' | 'gzip'
  /** Not supported: messages are JSON. Default: `false`. */
  readonly convertToAvro?: boolean
}

/** Settings of Amazon Kinesis, `KINESIS`. */
interface AmazonKinesisSettings extends GateSettings {
  /** AWS region. Allowed: the name of a region. Default: `"us-east-1"`. */
  readonly region?: string
  /** Id of an access key. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /**
   * Address of a compatible server; AWS when empty. Allowed: an http or https address without a path. Default: `""`.
   */
  readonly endPoint?: string
  /** Name of the stream. Allowed: the name of a stream. */
  readonly stream: string
  /**
   * Uses the messageId as partition key: events spread evenly, and those of one user lose their order. Default:
   * `false`.
   */
  readonly useMessageId?: boolean | FromEvent
}

/** Settings of Klaviyo, `KLAVIYO`. */
interface KlaviyoSettings extends GateSettings {
  /** Revision of the Klaviyo API. Klaviyo has retired v1. Default: `"v1"`. */
  readonly apiVersion?: 'v1' | 'v2' | 'v3' | FromEvent
  /** For SDKs: public key of the account. */
  readonly publicApiKey?: string
  /** Private key of the account. Secret. */
  readonly privateApiKey: string
  /** Channels of subscriptions, for events that do not name channels themselves: email, sms. */
  readonly consent?: readonly string[]
  /** Sends nested properties and traits on one level. Default: `false`. */
  readonly flattenProperties?: boolean | FromEvent
  /** List that users are subscribed to, for events that do not name a list themselves. */
  readonly listId?: string
  /**
   * Sends the userId as the property _id. The old revision then refuses events without email and phone. Default:
   * `false`.
   */
  readonly enforceEmailAsPrimary?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'profile' | 'oldProfile' | 'event' | 'Viewed Product' | 'Added to Cart' | 'Started Checkout' | FromEvent })[]
}

/** Settings of Linkedin Ads, `LINKEDIN_ADS`. */
interface LinkedinAdsSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Path of the id that LinkedIn recognises an event by. Default: messageId. */
  readonly deduplicationKey?: string
  /** Conversion rules of LinkedIn for your events. An event that is listed twice is sent twice. */
  readonly conversionMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /** Hashes e-mail addresses. Switch it off when they are hashed already. Default: `true`. */
  readonly hashData?: boolean | FromEvent
  /** Id of the ad account that owns the conversion rules. */
  readonly adAccountId?: string
  /** Id of an OAuth client of LinkedIn. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may send the data. Secret. */
  readonly refreshToken?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'conversion' | FromEvent })[]
}

/** Settings of Mailchimp, `MAILCHIMP`. */
interface MailchimpSettings extends GateSettings {
  /** API key of the account. Secret. */
  readonly apiKey: string
  /** Audience that members are added to. */
  readonly audienceId: string
  /** Last part of the API key, such as us20. Allowed: a data center id. */
  readonly datacenterId: string
  /** Sends traits as merge fields, besides the email. Default: `false`. */
  readonly enableMergeFields?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'event' | 'mergeFields' | FromEvent })[]
}

/** Settings of Mixpanel, `MP`. */
interface MixpanelSettings extends GateSettings {
  /** Token of the Mixpanel project. */
  readonly token: string
  /** Traits of group events that identify groups. */
  readonly groupKeySettings?: readonly { readonly groupKey?: string }[]
  /** Region of the project. Default: `"us"`. */
  readonly dataResidency?: 'us' | 'eu' | 'in' | FromEvent
  /** Creates profiles of users. Only used by Mixpanel's browser library. Default: `false`. */
  readonly people?: boolean | FromEvent
  /**
   * Sets every trait as a property of profile and events. Only used by Mixpanel's browser library. Default: `false`.
   */
  readonly setAllTraitsByDefault?: boolean | FromEvent
  /** Traits that are sent with every event. Only used by Mixpanel's browser library. */
  readonly superProperties?: readonly { readonly property?: string }[]
  /** Traits that are set on a profile once and never overwritten; paths (address.city) too. */
  readonly setOnceProperties?: readonly { readonly property?: string }[]
  /** Traits that are set on profiles. Only used by Mixpanel's browser library. */
  readonly peopleProperties?: readonly { readonly property?: string }[]
  /** Events that are counted on profiles. Only used by Mixpanel's browser library. */
  readonly eventIncrements?: readonly { readonly property?: string }[]
  /** Properties of track events that increment values on the profile. */
  readonly propIncrements?: readonly { readonly property?: string }[]
  /** Uses one event name for all pages. Only used by Mixpanel's browser library. Default: `false`. */
  readonly consolidatedPageCalls?: boolean | FromEvent
  /** Sends pages that have a category. Only used by Mixpanel's browser library. Default: `false`. */
  readonly trackCategorizedPages?: boolean | FromEvent
  /** Sends pages that have a name. Only used by Mixpanel's browser library. Default: `false`. */
  readonly trackNamedPages?: boolean | FromEvent
  /** Name of the source. Only used by Mixpanel's browser library. */
  readonly sourceName?: string
  /** Shares cookies between subdomains. Only used by Mixpanel's browser library. Default: `false`. */
  readonly crossSubdomainCookie?: boolean | FromEvent
  /** Data that is stored in the browser. Only used by Mixpanel's browser library. */
  readonly persistence?: string
  /** Kind of storage in the browser. Only used by Mixpanel's browser library. */
  readonly persistenceType?: string
  /** Name of the stored data. Only used by Mixpanel's browser library. */
  readonly persistenceName?: string
  /** Restricts cookies to https. Only used by Mixpanel's browser library. Default: `false`. */
  readonly secureCookie?: boolean | FromEvent
  /** Maps the traits firstName and lastName to $first_name and $last_name. Default: `false`. */
  readonly useNewMapping?: boolean | FromEvent
  /** Name of a service account. Not used: imports use the token. */
  readonly serviceAccountUserName?: string
  /** Secret of the service account. Not used. Secret. */
  readonly serviceAccountSecret?: string
  /** Id of the Mixpanel project. Not used. */
  readonly projectId?: string
  /**
   * How the project merges identities: original by merge events, simplified by events with both ids. Default:
   * `"original"`.
   */
  readonly identityMergeApi?: 'original' | 'simplified' | FromEvent
  /**
   * How users are deleted: engage deletes profiles, task deletes all data of a user (GDPR API). Default: `"engage"`.
   */
  readonly userDeletionApi?: 'engage' | 'task' | FromEvent
  /** OAuth token for deletion tasks. Secret. */
  readonly gdprApiToken?: string
  /** Makes Mixpanel validate events and report which of a batch it refused. Default: `false`. */
  readonly strictMode?: boolean | FromEvent
  /** Ignores the Do Not Track setting of browsers. Only used by Mixpanel's browser library. Default: `false`. */
  readonly ignoreDnt?: boolean | FromEvent
  /** Names page events by userDefinedPageEventTemplate. Default: `false`. */
  readonly useUserDefinedPageEventName?: boolean | FromEvent
  /** Name of page events, with {{ paths }} of the event: Viewed {{ name }} page. */
  readonly userDefinedPageEventTemplate?: string
  /** Names screen events by userDefinedScreenEventTemplate. Default: `false`. */
  readonly useUserDefinedScreenEventName?: boolean | FromEvent
  /** Name of screen events, with {{ paths }} of the event. */
  readonly userDefinedScreenEventTemplate?: string
  /** Does not send traits of the user with track events. Default: `false`. */
  readonly dropTraitsInTrackEvent?: boolean | FromEvent
  /** List traits whose new values are added to those of the profile. */
  readonly unionProperties?: readonly { readonly property?: string }[]
  /** Traits whose values are appended to the list on the profile. */
  readonly appendProperties?: readonly { readonly property?: string }[]
  /** Sends bodies of more than 1 KiB as gzip, which saves traffic and costs CPU time. Default: `false`. */
  readonly compressBodies?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'eventProperties' | 'profileProperties' | 'onceProperties' | 'mergeProperties' | 'aliasProperties' | FromEvent })[]
}

/** Settings of MoEngage, `MOENGAGE`. */
interface MoEngageSettings extends GateSettings {
  /** App id of the MoEngage workspace. */
  readonly apiId: string
  /** Key of the Data API. Secret. */
  readonly apiKey: string
  /** Data center of the workspace. */
  readonly region: 'US' | 'EU' | 'IND' | FromEvent
  /** Sends nested objects and lists as they are, instead of flattening them. Default: `false`. */
  readonly useObjectData?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'customerMapping' | 'deviceMapping' | 'actionMapping' | 'customerOfEvent' | 'mergeMapping' | FromEvent })[]
}

/** Settings of MQTT, `MQTT`. */
interface MQTTSettings extends GateSettings {
  /** Host and port of the broker. Default port: 1883, or 8883 with TLS. Allowed: host:port, without a template. */
  readonly address: string
  /** Topic of events without an entry in the table, with {{ paths }} of the event. */
  readonly topic: string
  /** Topics by the name of track events, by message type, or * for all others. */
  readonly eventToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** Connects over TLS. Default: `false`. */
  readonly tls?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /** Name to sign in with. */
  readonly username?: string
  /** Password to sign in with. Secret. */
  readonly password?: string
  /** Makes the broker keep the last message of each topic for new subscribers. Default: `false`. */
  readonly retain?: boolean | FromEvent
}

/** Settings of NATS, `NATS`. */
interface NATSSettings extends GateSettings {
  /**
   * Host and port of servers, separated by commas; the first that accepts is used. Default port: 4222. Allowed:
   * host:port, without a template.
   */
  readonly servers: string
  /** Subject of events without an entry in the table, with {{ paths }} of the event: events.{{ type }}. */
  readonly subject: string
  /** Subjects by the name of track events, by message type, or * for all others. */
  readonly eventToSubjectMap?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Waits until a stream has stored each message. Without it, messages without a listener are lost. Default: `true`.
   */
  readonly jetStream?: boolean
  /** Connects over TLS. Default: `false`. */
  readonly tls?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /** Name to sign in with. */
  readonly username?: string
  /** Password to sign in with. Secret. */
  readonly password?: string
  /** Token to sign in with, instead of a user name. Secret. */
  readonly token?: string
}

/** Settings of OneSignal, `ONE_SIGNAL`. */
interface OneSignalSettings extends GateSettings {
  /** Id of the OneSignal app. Secret. */
  readonly appId: string
  /** API of OneSignal to use; the device model when absent. */
  readonly version?: 'V1' | 'V2' | FromEvent
  /** Registers the email of identified users. Default: `false`. */
  readonly emailDeviceType?: boolean | FromEvent
  /** Registers the phone number of identified users. Default: `false`. */
  readonly smsDeviceType?: boolean | FromEvent
  /** Prefixes the tags of properties with the name of their event: add_to_cart_brand. Default: `false`. */
  readonly eventAsTags?: boolean | FromEvent
  /** Properties of events and traits of groups that are sent as tags. */
  readonly allowedProperties?: readonly { readonly propertyName?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'deviceFields' | 'userFields' | FromEvent })[]
}

/** Settings of OpenDSR processor, `OPENDSR`. */
interface OpenDSRProcessorSettings extends GateSettings {
  /**
   * Address to which requests are posted, such as https://opendsr.vendor.example/v2/requests. Allowed: an http or https
   * address without user and password.
   */
  readonly address?: string
  /** Value of the header Authorization, such as Bearer and a token. Secret. */
  readonly authorization?: string
  /** Law under which users are deleted. Default: `"gdpr"`. */
  readonly regulation?: 'gdpr' | 'ccpa' | FromEvent
  /**
   * Identities to send, of those that the /discovery of the processor lists. A user must have the first one.
   * controller_customer_id is the userId. Default: `["controller_customer_id"]`.
   */
  readonly identityTypes?: readonly ('controller_customer_id' | 'email' | 'android_advertising_id' | 'android_id' | 'fire_advertising_id' | 'ios_advertising_id' | 'ios_vendor_id' | 'microsoft_advertising_id' | 'microsoft_publisher_id' | 'roku_publisher_id' | 'roku_advertising_id' | 'phone' | FromEvent)[]
}

/** Settings of Pinterest Tag, `PINTEREST_TAG`. */
interface PinterestTagSettings extends GateSettings {
  /** For browser SDKs: id of the tag. */
  readonly tagId?: string
  /** Id of the app in the app store. */
  readonly appId?: string
  /** Id of the advertiser, with the legacy API. */
  readonly advertiserId?: string
  /** API that receives the events. Default: `"legacyApi"`. */
  readonly apiVersion?: 'newApi' | 'legacyApi' | FromEvent
  /** Id of the ad account, with the current API. Secret. */
  readonly adAccountId?: string
  /** Sends events for validation only. Default: `false`. */
  readonly sendAsTestEvent?: boolean | FromEvent
  /** Access token of the current API. Secret. */
  readonly conversionToken?: string
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly sendingUnHashedData?: boolean | FromEvent
  /** Path of the id that Pinterest recognises an event by. */
  readonly deduplicationKey?: string
  /** Sends the user id, hashed. Default: `false`. */
  readonly sendExternalId?: boolean | FromEvent
  /** For browser SDKs: properties to send. */
  readonly customProperties?: readonly { readonly properties?: string }[]
  /** Names events that Pinterest does not know custom. Otherwise they keep their names. Default: `false`. */
  readonly sendAsCustomEvent?: boolean | FromEvent
  /** Events of Pinterest for your events. An event that is listed twice is sent twice. */
  readonly eventsMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /** For browser SDKs: sends e-mail addresses. Default: `false`. */
  readonly enhancedMatch?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'conversionEvent' | FromEvent })[]
}

/** Settings of PostHog, `POSTHOG`. */
interface PostHogSettings extends GateSettings {
  /** Key of the PostHog project. Secret. */
  readonly teamApiKey: string
  /**
   * Address of PostHog; https://app.posthog.com if it is empty. Allowed: an http or https address. Default:
   * `"https://app.posthog.com"`.
   */
  readonly yourInstance?: string
  /** Sends groups to PostHog's group analytics. Default: `false`. */
  readonly useV2Group?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'identify' | 'capture' | 'alias' | 'group' | 'groupV2' | FromEvent })[]
}

/** Settings of RabbitMQ, `RABBITMQ`. */
interface RabbitMQSettings extends GateSettings {
  /** Host and port of the broker. Default port: 5672, or 5671 with TLS. Allowed: host:port, without a template. */
  readonly address: string
  /** Name of the virtual host. Default: `"/"`. */
  readonly virtualHost?: string
  /** Name of the exchange, which must exist. When empty, the routing key is the name of a queue. Default: `""`. */
  readonly exchange?: string
  /** Routing key of events without an entry in the table, with {{ paths }} of the event. */
  readonly routingKey: string
  /** Routing keys by the name of track events, by message type, or * for all others. */
  readonly eventToRoutingKeyMap?: readonly { readonly from?: string; readonly to?: string }[]
  /** Connects over TLS. Default: `false`. */
  readonly tls?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /** Name to sign in with. Default: `"guest"`. */
  readonly username?: string
  /** Password to sign in with. Secret. */
  readonly password: string
}

/** Settings of Reddit, `REDDIT`. */
interface RedditSettings extends GateSettings {
  /** Id of the account at RudderStack. Not used. */
  readonly rudderAccountId?: string
  /** Id of the ad account, or of the pixel with version 3. */
  readonly accountId: string
  /** Events of Reddit for your events. An event that is listed twice is sent twice. */
  readonly eventsMapping?: readonly { readonly from?: string; readonly to?: string }[]
  /** Hashes personal data. Switch it off when events have hashed data. Default: `true`. */
  readonly hashData?: boolean | FromEvent
  /** Version of the Conversions API. Default: `"v2"`. */
  readonly version?: 'v2' | 'v3' | FromEvent
  /** Id of an OAuth client of Reddit. */
  readonly clientId?: string
  /** Secret of the OAuth client. Secret. */
  readonly clientSecret?: string
  /** Refresh token of a user who may send the data. Secret. */
  readonly refreshToken?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'eventMapping2' | 'eventMapping3' | FromEvent })[]
}

/** Settings of Redis, `REDIS`. */
interface RedisSettings extends GateSettings {
  /**
   * Host and port of the server; in cluster mode, of some nodes, separated by commas. Allowed: host:port, without a
   * template.
   */
  readonly address: string
  /** Password, if the server requires one. Secret. Default: `""`. */
  readonly password?: string
  /** User name; the default user when empty. Default: `""`. */
  readonly username?: string
  /** Whether the server is a cluster. Default: `false`. */
  readonly clusterMode?: boolean
  /** Whether to connect over TLS. Default: `false`. */
  readonly secure?: boolean
  /** Accepts any certificate, so that attackers in the network can read and change everything. Default: `false`. */
  readonly skipVerify?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /** Number of the database; 0 when empty, and in a cluster. Allowed: the number of a database. Default: `""`. */
  readonly database?: string | number
  /** Prefix of each key, followed by a colon. Default: `""`. */
  readonly prefix?: string
  /** Stores each user as a JSON document (RedisJSON 2.6 or newer) instead of a hash. Default: `false`. */
  readonly useJSONModule?: boolean
}

/** Settings of Redis Streams, `REDIS_STREAMS`. */
interface RedisStreamsSettings extends GateSettings {
  /**
   * Host and port of the server; in cluster mode, of some nodes, separated by commas. Allowed: host:port, without a
   * template.
   */
  readonly address: string
  /** Password, if the server requires one. Secret. Default: `""`. */
  readonly password?: string
  /** User name; the default user when empty. Default: `""`. */
  readonly username?: string
  /** Whether the server is a cluster. Default: `false`. */
  readonly clusterMode?: boolean
  /** Whether to connect over TLS. Default: `false`. */
  readonly secure?: boolean
  /** Accepts any certificate, so that attackers in the network can read and change everything. Default: `false`. */
  readonly skipVerify?: boolean
  /** Certificate (PEM) of the authority to trust instead of public ones. Default: `""`. */
  readonly caCertificate?: string
  /** Number of the database; 0 when empty, and in a cluster. Allowed: the number of a database. Default: `""`. */
  readonly database?: string | number
  /** Key of the stream for events without an entry in the table, with {{ paths }} of the event. */
  readonly stream: string
  /** Streams by the name of track events, by message type, or * for all others. */
  readonly eventToStreamMap?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * About how many entries a stream keeps, removing the oldest; all when 0. Allowed: a whole number from 0 to
   * 1000000000. Default: `0`.
   */
  readonly lengthMax?: number
}

/** Settings of Amazon S3, `S3`. */
interface AmazonS3Settings extends GateSettings {
  /** Name of the bucket, which must exist. Allowed: the name of a bucket, without a template. */
  readonly bucketName: string
  /** Prefix of object names. Default: `""`. */
  readonly prefix?: string
  /** Id of an access key that may put objects. Secret. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /** Requests encryption of each object (AES256). Default: `false`. */
  readonly enableSSE?: boolean
  /** Region of the bucket. Allowed: the name of a region. Default: `"us-east-1"`. */
  readonly region?: string
  /**
   * Host of a server other than AWS; uses https unless it starts with http://. Allowed: a host, or an address without a
   * path. Default: `""`.
   */
  readonly endPoint?: string
  /**
   * Puts the bucket in the path instead of the host; by default only with an endPoint, or for bucket names with dots.
   */
  readonly s3ForcePathStyle?: boolean
}

/** Settings of Salesforce, `SALESFORCE`. */
interface SalesforceSettings extends GateSettings {
  /** User that changes the records. */
  readonly userName?: string
  /** Password of the user. Secret. */
  readonly password?: string
  /** Security token of the user, which Salesforce sends by email. Secret. */
  readonly initialAccessToken?: string
  /** Maps traits to fields of leads and contacts. When off, traits are sent as they are. Default: `true`. */
  readonly mapProperties?: boolean | FromEvent
  /** Uses the sandbox of the organization. Default: `false`. */
  readonly sandbox?: boolean | FromEvent
  /** Updates the contact of a lead that was converted, instead of the lead. Default: `false`. */
  readonly useContactId?: boolean | FromEvent
  /** Older name of mapProperties, which it overrides. */
  readonly mapProperty?: boolean | FromEvent
  /** Consumer key of the connected app, which Salesforce needs with a password. */
  readonly clientId?: string
  /** Consumer secret of the connected app. Secret. */
  readonly clientSecret?: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'Lead' | 'Contact' | FromEvent })[]
}

/** Settings of Segment, `SEGMENT`. */
interface SegmentSettings extends GateSettings {
  /** Write key of the Segment source. Secret. */
  readonly writeKey: string
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'message' | FromEvent })[]
}

/** Settings of Sendgrid, `SENDGRID`. */
interface SendgridSettings extends GateSettings {
  /** API key of the SendGrid account. Secret. */
  readonly apiKey: string
  /** Subject of mails. */
  readonly subject?: string | null
  /** Id of the list that contacts are added to. */
  readonly listId?: string | null
  /** Traits and their custom fields. */
  readonly customFieldsMapping?: readonly ({ readonly from?: string | null; readonly to?: string | null })[]
  /** Id of the template of mails. */
  readonly templateId?: string | null
  /** Reads the email of the receiver from the traits. Default: `false`. */
  readonly mailFromTraits?: boolean | FromEvent
  /** Email for replies. */
  readonly replyToEmail?: string | null
  /** Name for replies. */
  readonly replyToName?: string | null
  /** Pool of IP addresses that mails are sent from. */
  readonly IPPoolName?: string | null
  /** Email of the sender. */
  readonly fromEmail?: string | null
  /** Name of the sender. */
  readonly fromName?: string | null
  /** Track events that send a mail. */
  readonly eventNamesSettings?: readonly ({ readonly event?: string | null })[]
  /** Contents of mails. */
  readonly contents?: readonly ({ readonly type?: string | null; readonly value?: string | null })[]
  /** Files that are attached to mails. */
  readonly attachments?: readonly ({ readonly content?: string | null; readonly contentId?: string | null; readonly disposition?: string | null; readonly filename?: string | null; readonly type?: string | null })[]
  /** Id of the group that receivers can unsubscribe from. */
  readonly group?: string | null
  /** Groups that are shown to receivers. */
  readonly groupsToDisplay?: readonly ({ readonly groupId?: string | null })[]
  /**
   * Sends mails also to people who have unsubscribed. For mails that must arrive, such as receipts. Default: `false`.
   */
  readonly bypassListManagement?: boolean | FromEvent
  /** Adds a footer to mails. Default: `false`. */
  readonly footer?: boolean | FromEvent
  /** Footer as text. */
  readonly footerText?: string | null
  /** Footer as HTML. */
  readonly footerHtml?: string | null
  /** Makes SendGrid validate mails without sending them. Default: `false`. */
  readonly sandboxMode?: boolean | FromEvent
  /** Tracks clicks on links. Default: `false`. */
  readonly clickTracking?: boolean | FromEvent
  /** Also tracks clicks in plain-text mails. Default: `false`. */
  readonly clickTrackingEnableText?: boolean | FromEvent
  /** Tracks opened mails. Default: `false`. */
  readonly openTracking?: boolean | FromEvent
  /** Text that is replaced by the tracking pixel. */
  readonly openTrackingSubstitutionTag?: string | null
  /** Adds an unsubscribe link to mails. Default: `false`. */
  readonly subscriptionTracking?: boolean | FromEvent
  /** Text around the unsubscribe link. */
  readonly text?: string | null
  /** HTML around the unsubscribe link. */
  readonly html?: string | null
  /** Text that is replaced by the unsubscribe link. */
  readonly substitutionTag?: string | null
  /** Adds Google Analytics parameters to links. Default: `false`. */
  readonly ganalytics?: boolean | FromEvent
  /** Parameter utm_source of links. */
  readonly utmSource?: string | null
  /** Parameter utm_medium of links. */
  readonly utmMedium?: string | null
  /** Parameter utm_term of links. */
  readonly utmTerm?: string | null
  /** Parameter utm_content of links. */
  readonly utmContent?: string | null
  /** Parameter utm_campaign of links. */
  readonly utmCampaign?: string | null
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'contact' | FromEvent })[]
}

/** Settings of Singular, `SINGULAR`. */
interface SingularSettings extends GateSettings {
  /** SDK key of the Singular account. Secret. */
  readonly apiKey: string
  /** For SDKs: SDK secret of the account. Secret. */
  readonly apiSecret?: string
  /** Events that begin a session, besides those of the app lifecycle. */
  readonly sessionEventList?: readonly { readonly sessionEventName?: string }[]
  /**
   * Sends advertising ids also when the device says that its user limits tracking (adTrackingEnabled is false), as
   * RudderStack does. Default: `false`.
   */
  readonly sendLimitedAdvertisingIds?: boolean | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'androidSession' | 'appleSession' | 'gameSession' | 'androidEvent' | 'appleEvent' | 'gameEvent' | FromEvent })[]
}

/** Settings of Slack, `SLACK`. */
interface SlackSettings extends GateSettings {
  /** Channels for events; the first match counts. Allowed: a list of at most 100 entries. */
  readonly eventChannelSettings?: readonly ({ readonly eventName?: string; readonly eventRegex?: boolean | FromEvent; readonly eventChannel?: string; readonly eventChannelWebhook?: string })[]
  /** Whether channels are chosen by name (legacy) or have their own webhooks (modern). Default: `"legacy"`. */
  readonly incomingWebhooksType?: 'legacy' | 'modern' | FromEvent
  /**
   * Handlebars template of the message for identify events. It can read name, traits (text), and each trait. At most
   * 1000 characters; helpers: if, unless, each and with.
   */
  readonly identifyTemplate?: string
  /** Templates for events; the first match counts. Allowed: a list of at most 100 entries. */
  readonly eventTemplateSettings?: readonly ({ readonly eventName?: string; readonly eventRegex?: boolean | FromEvent; readonly eventTemplate?: string })[]
  /** Incoming webhook for all messages without their own channel. Secret. Allowed: an http or https address. */
  readonly webhookUrl: string
  /** Traits that may be shown; all when empty. */
  readonly whitelistedTraitsSettings?: readonly { readonly trait?: string }[]
  /** Track events that are not posted; they fail. */
  readonly denyListOfEvents?: readonly { readonly eventName?: string }[]
}

/** Settings of Snapchat Conversion, `SNAPCHAT_CONVERSION`. */
interface SnapchatConversionSettings extends GateSettings {
  /** Token of the Conversions API. Secret. */
  readonly apiKey: string
  /** Id of the Snap Pixel, which receives events of web sites and offline events. */
  readonly pixelId?: string | null
  /** Id of the app at Snapchat, for events of apps. */
  readonly snapAppId?: string
  /** Id of the app in the app store, for events of apps. */
  readonly appId?: string
  /** Events of Snapchat for your events. */
  readonly rudderEventsToSnapEvents?: readonly { readonly from?: string; readonly to?: string }[]
  /** Sends an id by which Snapchat recognises an event that it has already. Default: `false`. */
  readonly enableDeduplication?: boolean | FromEvent
  /** Path of the id. Default: messageId. */
  readonly deduplicationKey?: string
  /** Version of the Conversions API. Default: `"legacyApi"`. */
  readonly apiVersion?: 'legacyApi' | 'newApi' | FromEvent
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'common2' | 'common3' | FromEvent })[]
}

/** Settings of Sprig, `SPRIG`. */
interface SprigSettings extends GateSettings {
  /** API key of the Sprig product. Secret. */
  readonly apiKey?: string
}

/** Settings of Amazon SQS, `SQS`. */
interface AmazonSQSSettings extends GateSettings {
  /** AWS region. Allowed: the name of a region. Default: `"us-east-1"`. */
  readonly region?: string
  /** Id of an access key. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /**
   * Address of a compatible server; AWS when empty. Allowed: an http or https address without a path. Default: `""`.
   */
  readonly endPoint?: string
  /** Address of the queue. A name that ends with .fifo makes it a FIFO queue. Allowed: the address of a queue. */
  readonly queueUrl: string
}

/** Settings of Statsig, `STATSIG`. */
interface StatsigSettings extends GateSettings {
  /** Server secret key of the project. Secret. */
  readonly secretKey: string
}

/** Settings of TikTok Ads, `TIKTOK_ADS`. */
interface TikTokAdsSettings extends GateSettings {
  /** Also sends events that are not mapped to a standard event, under their own names. Default: `false`. */
  readonly sendCustomEvents?: boolean | FromEvent
  /** Long-term token of the Events API. Secret. */
  readonly accessToken: string
  /** Version of TikTok's API. TikTok recommends 2.0. Default: `"v1"`. */
  readonly version?: 'v1' | 'v2' | FromEvent
  /** Code of the pixel that receives the events. */
  readonly pixelCode: string
  /** Hashes e-mail addresses, phone numbers and ids. Switch it off when they are hashed already. Default: `true`. */
  readonly hashUserProperties?: boolean | FromEvent
  /** Standard events of TikTok for your events. An event that is listed twice is sent twice. */
  readonly eventsToStandard?: readonly { readonly from?: string; readonly to?: string }[]
  /**
   * Fields that replace or add to those of the mapping. Fields without a value change nothing. Allowed: a list of at
   * most 100 objects with to and from.
   */
  readonly overrides?: readonly ({ readonly to: string; readonly from: string | readonly string[]; readonly mapping?: 'event1' | 'event2' | FromEvent })[]
}

/** Settings of Webhook, `WEBHOOK`. */
interface WebhookSettings extends GateSettings {
  /** Address that receives each event. Allowed: an http or https address without user and password. */
  readonly webhookUrl: string
  /** HTTP method of each request. Default: `"POST"`. */
  readonly webhookMethod?: 'POST' | 'PUT' | 'PATCH' | 'GET' | 'DELETE' | FromEvent
  /** Headers added to every request. Allowed: a list of at most 100 objects with from and to. */
  readonly headers?: readonly { readonly from: string; readonly to: JsonValue }[]
  /**
   * Allows events to choose their address by fullPath and appendPath; without it, such events fail. Since write keys
   * are public, anyone can then send requests to any public address. Headers of the settings are only sent to the
   * origin of webhookUrl and to trustedOrigins. Default: `false`.
   */
  readonly allowEventAddress?: boolean
  /**
   * Further origins that get the headers of the settings when events choose their address. Allowed: a list of at most
   * 20 origins.
   */
  readonly trustedOrigins?: readonly string[]
  /** Sends bodies of more than 1 KiB as gzip, which saves traffic and costs CPU time. Default: `false`. */
  readonly compressBodies?: boolean | FromEvent
}

/** Settings of Zapier, `ZAPIER`. */
interface ZapierSettings extends GateSettings {
  /** Zap for events without another zap. Secret. */
  readonly zapUrl: string
  /** Zaps for track events by name. */
  readonly trackEventsToZap?: readonly { readonly from?: string; readonly to?: JsonValue }[] | { readonly [name: string]: JsonValue }
  /** Zaps for pages and screens by name. */
  readonly pageScreenEventsToZap?: readonly { readonly from?: string; readonly to?: JsonValue }[] | { readonly [name: string]: JsonValue }
}

/** Settings of DuckDB, `DUCKDB`. */
interface DuckDBSettings extends GateSettings {
  /** Path of the file, relative to the working directory; created if it does not exist. */
  readonly path: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of Parquet files, `PARQUET`. */
interface ParquetFilesSettings extends GateSettings {
  /** Folder of the files, relative to the working directory; created if it does not exist. */
  readonly folder: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of PostgreSQL, `POSTGRES`. */
interface PostgreSQLSettings extends GateSettings {
  /** Name or address of the server. */
  readonly host: string
  /** Port of the server. Allowed: a whole number from 1 to 65535. Default: `5432`. */
  readonly port?: number
  /** A user who may create the namespace and its tables. */
  readonly user: string
  /** Password of the user. Secret. */
  readonly password?: string
  /** How the connection is protected. Default: `"disable"`. */
  readonly sslMode?: 'disable' | 'require' | 'verify-ca'
  /** Certificate (PEM) with which that of the server is checked. Default: those of Node. */
  readonly serverCA?: string
  /** Name of the database. */
  readonly database: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of MySQL, `MYSQL`. */
interface MySQLSettings extends GateSettings {
  /** Name or address of the server. */
  readonly host: string
  /** Port of the server. Allowed: a whole number from 1 to 65535. Default: `3306`. */
  readonly port?: number
  /** A user who may create the namespace and its tables. */
  readonly user: string
  /** Password of the user. Secret. */
  readonly password?: string
  /** How the connection is protected. Default: `"disable"`. */
  readonly sslMode?: 'disable' | 'require' | 'verify-ca'
  /** Certificate (PEM) with which that of the server is checked. Default: those of Node. */
  readonly serverCA?: string
  /** Database in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of ClickHouse, `CLICKHOUSE`. */
interface ClickHouseSettings extends GateSettings {
  /** Name or address of the server. */
  readonly host: string
  /** Port of the HTTP interface, 8443 with TLS as a rule. Allowed: a whole number from 1 to 65535. Default: `8123`. */
  readonly port?: number
  /** Connects with https. Default: `false`. */
  readonly secure?: boolean
  /** A user who may create the database and its tables. */
  readonly user: string
  /** Password of the user. Secret. */
  readonly password?: string
  /** Database in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Stores lists in columns of the type Array instead of as JSON text. Default: `false`. */
  readonly arrays?: boolean
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of S3 data lake, `S3_DATALAKE`. */
interface S3DataLakeSettings extends GateSettings {
  /** Name of the bucket, which must exist. Allowed: the name of a bucket. */
  readonly bucketName: string
  /** Folder of the bucket for all files, before the namespace. */
  readonly prefix?: string
  /** Id of an access key that may list, get, put and delete objects. Secret. */
  readonly accessKeyID: string
  /** Secret of the access key. Secret. */
  readonly accessKey: string
  /** Region of the bucket. */
  readonly region: string
  /** Address of a server other than AWS, such as http://127.0.0.1:9000 of MinIO. */
  readonly endPoint?: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of BigQuery, `BIGQUERY`. */
interface BigQuerySettings extends GateSettings {
  /** Id of the Google Cloud project. Allowed: the id of a project. */
  readonly project: string
  /** Region of the dataset, such as EU or europe-west1. Default: US. */
  readonly location?: string
  /** Key of a service account with the roles BigQuery Data Editor and BigQuery Job User, as JSON text. Secret. */
  readonly credentials: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of Snowflake, `SNOWFLAKE`. */
interface SnowflakeSettings extends GateSettings {
  /**
   * Identifier of the account: what is before .snowflakecomputing.com in its address. Allowed: the identifier of an
   * account.
   */
  readonly account: string
  /** Name of the database. */
  readonly database: string
  /** Name of the virtual warehouse that runs the statements. */
  readonly warehouse: string
  /** A user with a public key. */
  readonly user: string
  /** Role of the user. Default: the usual one. */
  readonly role?: string
  /** Private key (PEM) that belongs to the public key of the user. Secret. */
  readonly privateKey: string
  /** Passphrase of the private key, if it is encrypted. Secret. */
  readonly privateKeyPassphrase?: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of Amazon Redshift, `REDSHIFT`. */
interface AmazonRedshiftSettings extends GateSettings {
  /** Name or address of the server. */
  readonly host: string
  /** Port of the server. Allowed: a whole number from 1 to 65535. Default: `5439`. */
  readonly port?: number
  /** A user who may create the namespace and its tables. */
  readonly user: string
  /** Password of the user. Secret. */
  readonly password?: string
  /** How the connection is protected. Default: `"disable"`. */
  readonly sslMode?: 'disable' | 'require' | 'verify-ca'
  /** Certificate (PEM) with which that of the server is checked. Default: those of Node. */
  readonly serverCA?: string
  /** Name of the database. */
  readonly database: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of Databricks, `DATABRICKS`. */
interface DatabricksSettings extends GateSettings {
  /** Name of the workspace, such as dbc-1234.cloud.databricks.com. Allowed: the name of a host, without https://. */
  readonly host: string
  /**
   * HTTP path of the SQL warehouse, as in its connection details. Allowed: the HTTP path of a SQL warehouse, such as
   * /sql/1.0/warehouses/0123456789abcdef.
   */
  readonly path: string
  /** A personal access token. Secret. */
  readonly token: string
  /** Catalog of the schema. Default: main. */
  readonly catalog?: string
  /** Schema in which the tables are created. Default: sluice. */
  readonly namespace?: string
  /** Seconds after which collected events are loaded. Allowed: a whole number from 1 to 86400. Default: `30`. */
  readonly syncSeconds?: number
  /**
   * Collected events after which a load begins before its time. Allowed: a whole number from 1 to 1000000. Default:
   * `20000`.
   */
  readonly syncEvents?: number
  /**
   * Tables named after events that one source may add in an hour. Further new events are in the table tracks only,
   * unless it is skipped. Allowed: a whole number from 1 to 100000. Default: `1000`.
   */
  readonly newTablesPerHour?: number
  /**
   * What a load does with a row whose id is in the table. Appending is faster; an event that is sent twice then has two
   * rows. Default: `"merge"`.
   */
  readonly loadMode?: 'merge' | 'append'
  /**
   * Days of received_at in which a row with the same id is looked for, 0 for all. Tables with a primary key need no
   * window. Allowed: a whole number from 0 to 3650. Default: `0`.
   */
  readonly mergeWindowDays?: number
  /** Stores track events only in the tables that are named after them. Default: `false`. */
  readonly skipTracksTable?: boolean
  /** Stores identify events only in the table identifies. Default: `false`. */
  readonly skipUsersTable?: boolean
  /** Adds the column rudder_event with the whole event as JSON to the tables of all events. Default: `false`. */
  readonly storeFullEvent?: boolean
  /** Stores context.traits of identify events as columns of users, too. Default: `false`. */
  readonly allowUsersContextTraits?: boolean
  /** Names columns as old destinations of RudderStack do: a1b2 becomes a_1_b_2. Default: `false`. */
  readonly underscoreDivideNumbers?: boolean
  /**
   * Key paths whose values are stored as JSON, with commas between them, such as track.properties.cart, or cart for
   * properties of track events.
   */
  readonly jsonPaths?: string
}

/** Settings of the types that need no package of their own, by the name of the type. */
export interface NativeSettings {
  readonly ADJ: AdjustSettings
  readonly AIRSHIP: AirshipSettings
  readonly ALGOLIA: AlgoliaSettings
  readonly AM: AmplitudeSettings
  readonly AF: AppsFlyerSettings
  readonly ATTENTIVE_TAG: AttentiveTagSettings
  readonly AZURE_EVENT_HUB: AzureEventHubsSettings
  readonly BRANCH: BranchMetricsSettings
  readonly BRAZE: BrazeSettings
  readonly CLEVERTAP: CleverTapSettings
  readonly CONFLUENT_CLOUD: ConfluentCloudSettings
  readonly CONSOLE: ConsoleSettings
  readonly CUSTIFY: CustifySettings
  readonly CUSTOMERIO: CustomerIOSettings
  readonly EMARSYS: EmarsysSettings
  readonly ENGAGE: EngageSettings
  readonly EVENTBRIDGE: AmazonEventBridgeSettings
  readonly FACEBOOK_PIXEL: FacebookPixelSettings
  readonly FB_CUSTOM_AUDIENCE: FacebookCustomAudienceSettings
  readonly FILE: FileSettings
  readonly FIREHOSE: AmazonKinesisFirehoseSettings
  readonly GA4: GoogleAnalytics4GA4Settings
  readonly GOOGLE_ADWORDS_ENHANCED_CONVERSIONS: GoogleAdsEnhancedConversionsSettings
  readonly GOOGLE_ADWORDS_OFFLINE_CONVERSIONS: GoogleAdsOfflineConversionsSettings
  readonly GOOGLE_ADWORDS_REMARKETING_LISTS: GoogleAdsRemarketingListsCustomerMatchSettings
  readonly GA: GoogleAnalyticsSettings
  readonly GOOGLEPUBSUB: GooglePubSubSettings
  readonly HEAP: HeapIoSettings
  readonly HTTP: HTTPWebhookSettings
  readonly HS: HubSpotSettings
  readonly INTERCOM: IntercomSettings
  readonly ITERABLE: IterableSettings
  readonly KAFKA: ApacheKafkaSettings
  readonly KINESIS: AmazonKinesisSettings
  readonly KLAVIYO: KlaviyoSettings
  readonly LINKEDIN_ADS: LinkedinAdsSettings
  readonly MAILCHIMP: MailchimpSettings
  readonly MP: MixpanelSettings
  readonly MOENGAGE: MoEngageSettings
  readonly MQTT: MQTTSettings
  readonly NATS: NATSSettings
  readonly ONE_SIGNAL: OneSignalSettings
  readonly OPENDSR: OpenDSRProcessorSettings
  readonly PINTEREST_TAG: PinterestTagSettings
  readonly POSTHOG: PostHogSettings
  readonly RABBITMQ: RabbitMQSettings
  readonly REDDIT: RedditSettings
  readonly REDIS: RedisSettings
  readonly REDIS_STREAMS: RedisStreamsSettings
  readonly S3: AmazonS3Settings
  readonly SALESFORCE: SalesforceSettings
  readonly SEGMENT: SegmentSettings
  readonly SENDGRID: SendgridSettings
  readonly SINGULAR: SingularSettings
  readonly SLACK: SlackSettings
  readonly SNAPCHAT_CONVERSION: SnapchatConversionSettings
  readonly SPRIG: SprigSettings
  readonly SQS: AmazonSQSSettings
  readonly STATSIG: StatsigSettings
  readonly TIKTOK_ADS: TikTokAdsSettings
  readonly WEBHOOK: WebhookSettings
  readonly ZAPIER: ZapierSettings
  readonly DUCKDB: DuckDBSettings
  readonly PARQUET: ParquetFilesSettings
  readonly POSTGRES: PostgreSQLSettings
  readonly MYSQL: MySQLSettings
  readonly CLICKHOUSE: ClickHouseSettings
  readonly S3_DATALAKE: S3DataLakeSettings
  readonly BIGQUERY: BigQuerySettings
  readonly SNOWFLAKE: SnowflakeSettings
  readonly REDSHIFT: AmazonRedshiftSettings
  readonly DATABRICKS: DatabricksSettings
}
