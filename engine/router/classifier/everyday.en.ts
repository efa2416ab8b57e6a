/**
 * Everyday English for routing without a model: words that are about one thing, and things that are of one kind. General
 * words only; what a team is for comes from its own names, topics and descriptions. Singular, folded; phrases by commas.
 */

const phrases = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean);

/** Words that are about one thing: whoever is described with one of them is meant by the others too. */
export const fields: Readonly<Record<string, readonly string[]>> = {
  light:
    phrases(`light, lamp, lighting, bulb, bright, brighter, brightness, dark, darker, color temperature, colour temperature, warm white, cool white, cold white, dim, dimmer, gloomy, illuminate,
    illumination, lantern, spotlight, chandelier, pitch black, pitch dark, night light, ceiling light, candlelight`),
  temperature:
    phrases(`temperature, heating, heat, heater, thermostat, radiator, boiler, warm, warmer, warmth, hot, hotter, cold,
    colder, cool, cooler, chilly, freezing, frozen, boiling, toasty, cosy, cozy, climate,
    roasting, baking, sweltering, nippy, lukewarm, air conditioning, air con, aircon, underfloor heating, shivering, sweating`),
  blind:
    phrases(`blind, shade, shutter, curtain, drape, roller blind, venetian blind, sunshade, sun, sunlight, sunshine,
    daylight, glare, blackout`),
  lawn: phrases('lawn, grass, turf, mow, mower, mowing, lawn mower, lawnmower, strim, strimmer, mown, trim'),
  waste: phrases(`waste, rubbish, trash, garbage, litter, refuse, debris, junk, clipping, cutting, grass clipping, leaf,
    compost, scrap, twig, prunings, weeding, dump, tip, landfill, recycling, wheelie bin`),
  message: phrases(
    'message, notification, notify, announce, announcement, inform, let know, tell, give a shout, pass on',
  ),
  memory:
    phrases(`memory, remember, memorise, memorize, recall, forget, bear in mind, keep in mind, write down, jot down,
    note down, make a note, take a note, make note, take note`),
  computer:
    phrases(`computer, system, server, machine, pc, laptop, cpu, processor, ram, disk, disk space, reboot, restart, uptime,
    logged in, logged on, login, user, user account, process, system load, load average, cpu load, raspberry pi`),
  door: phrases('door, gate, front door, back door, garage door, doorway'),
  motion: phrases('motion, movement, move, presence'),
  power: phrases('power, electricity, energy, watt, kilowatt, kilowatt hour, consumption, wattage'),
  humidity: phrases('humidity, humid, damp, moisture'),
  pool: phrases('pool, swimming pool, swim, swimming, algae, chlorine, pool water, paddling pool'),
  water: phrases('irrigate, irrigation, sprinkler, watering, watering can, garden hose'),
  music:
    phrases(`music, song, jazz, playlist, radio, album, rock music, pop music, podcast, audiobook, spotify, volume, singer,
    tune, loudspeaker, stereo`),
  television: phrases('television, tv, telly, film, movie, channel, netflix, episode, series'),
  weather: phrases(
    'weather, forecast, sunny, cloudy, rain, raining, snow, snowing, umbrella, storm, thunder, fog, weather report',
  ),
  shopping: phrases(
    `shopping, shopping list, grocery, supermarket, purchase, takeaway, delivery, pizza delivery, price`,
  ),
  calendar: phrases('calendar, appointment, meeting, diary, schedule, reservation, booking, agenda, holiday booking'),
  phone: phrases('phone, telephone, phone call, voicemail, phone number, ring, call'),
  email: phrases('email, mail, inbox, e-mail, newsletter'),
  alarm: phrases('alarm clock, alarm, timer, wake up, snooze, stopwatch, egg timer, countdown'),
  burglar: phrases('burglar alarm, alarm system, siren, intruder'),
  camera: phrases('camera, cctv, webcam, doorbell, photo, picture, selfie, snapshot'),
  laundry: phrases('laundry, washing machine, tumble dryer, ironing, washing, dishwasher, dishes, washing up'),
  vacuum: phrases('vacuum, hoover, vacuum cleaner, robot vacuum, vacuuming'),
  cooking: phrases('recipe, oven, cook, cooking, bake, fry, microwave, hob, kettle, stove, coffee machine'),
  traffic: phrases(
    'traffic, train, bus, flight, taxi, cab, car pool, carpool, lift share, airport, bus stop, railway station',
  ),
  money: phrases(
    'money, bank, invoice, tax, salary, stock market, share price, bitcoin, euro, dollar, pound sterling, bill',
  ),
  news: phrases('news, headline, newspaper, politics, election'),
  joke: phrases('joke, riddle, poem, story, fairy tale, trivia, quiz, pun'),
  health: phrases('doctor, dentist, headache, medicine, pill, calorie, diet, workout, gym, fever'),
  travel: phrases('hotel, flight ticket, passport, trip, suitcase'),
  geography: phrases('capital, river, continent, population, country, president, everest, ocean'),
  sport: phrases('football, cricket, rugby, tennis, match, world cup, league, team score, goal'),
  school: phrases('homework, exam, essay, translate, translation, spelling, maths, equation, capital of'),
};

/** Told, they say what is wanted; in an order they leave it open: "make it dark". */
export const toldOnly = new Set(['dark', 'darker', 'cosy', 'cozy']);

/** What people do, in other words. */
export const actions: Readonly<Record<string, readonly string[]>> = {
  moving: phrases('move, shift, bring, carry, drag, haul, transport, relocate, push, lug, shove, fetch'),
  collecting:
    phrases(`collect, gather, gather up, pick up, rake up, rake, clear away, clear up, get rid, sweep up, sweep, clear, take away, carry away, cart away, bring away, dispose, cart off,
    chuck out, throw out, throw away, bag up, bin, dump`),
  taking: phrases('take, deliver, drop off, cart, drive, haul, carry, bring, transport'),
  cleaning: phrases('clean, scrub, wipe, scour, hose down, skim, rinse, polish, wash'),
  cutting: phrases('mow, cut, trim, strim'),
  telling: phrases(
    `tell, wish, warn, inform, notify, announce, remind, let know, give a shout, give shout, pass on, send a message, send message, pass a message, say to`,
  ),
  remembering:
    phrases(`remember, note that, memorise, memorize, keep in mind, bear in mind, make a note, take a note, note down, write down,
    jot down`),
  forgetting: phrases('forget'),
  eating: phrases('eat, devour, munch, graze, nibble, prey on, feast on, gobble, hunt, eaten'),
  feeding: phrases('feed, fed'),
  buying: phrases('buy, purchase, bought'),
  selling: phrases('sell, flog, sold'),
  creating: phrases('add, create, make, plant, grow, sow, introduce, spawn, build, populate, invent, generate'),
  growing: phrases('plant, grow, sow'),
  heating: phrases('heat, warm, warm up, heat up'),
  switching: phrases('kill, switch, turn on, turn off, switch on, switch off, dim, brighten, light up'),
  closing: phrases('open, close, shut'),
};

/** Things of a kind. Who is described with one of `heads` is meant by all `members`, but not the other way round. */
export interface Kind {
  readonly heads: readonly string[];
  readonly members: readonly string[];
}

export const kinds: Readonly<Record<string, Kind>> = {
  animal: {
    heads: phrases('animal, creature, beast, wildlife, fauna, livestock, pet'),
    members:
      phrases(`sheep, lamb, ram, cow, calf, bull, ox, goat, kid goat, pig, piglet, horse, pony, foal, donkey, mule, camel,
      llama, alpaca, dog, puppy, cat, kitten, wolf, fox, bear, polar bear, grizzly bear, lion, tiger, leopard, cheetah, lynx,
      panther, jaguar, hyena, jackal, coyote, rabbit, bunny, hare, mouse, rat, hamster, squirrel, beaver, otter, badger, hedgehog,
      mole, bat, weasel, stoat, ferret, mink, raccoon, skunk, deer, stag, reindeer, moose, elk, antelope, gazelle, buffalo, bison,
      yak, zebra, giraffe, elephant, mammoth, rhino, rhinoceros, hippo, hippopotamus, monkey, ape, gorilla, chimpanzee, orangutan,
      kangaroo, koala, wombat, sloth, panda, anteater, armadillo, bird, eagle, hawk, falcon, owl, vulture, raven, crow, magpie,
      pigeon, dove, sparrow, robin, swallow, gull, seagull, duck, goose, swan, heron, stork, crane, flamingo, pelican, penguin,
      puffin, chicken, hen, rooster, cockerel, turkey, peacock, parrot, ostrich, emu, fish, shark, whale, dolphin, porpoise, seal,
      sea lion, walrus, salmon, trout, cod, tuna, herring, carp, pike, eel, octopus, squid, jellyfish, starfish, sea cucumber,
      sea urchin, crab, lobster, shrimp, prawn, oyster, mussel, clam, snail, slug, worm, earthworm, leech, frog, toad, newt,
      salamander, snake, lizard, gecko, crocodile, alligator, turtle, tortoise, sea turtle, dinosaur, insect, bee, wasp, ant,
      beetle, ladybird, butterfly, moth, fly, mosquito, dragonfly, grasshopper, cricket insect, spider, scorpion, dragon, unicorn,
      griffin, phoenix, mountain goat, wild boar, boar, ibex, chamois, marmot, vole, cattle, flock of sheep, herd of cow, bug`),
  },
  person: {
    heads: phrases('human, person, people, humanoid, character, creature'),
    members:
      phrases(`man, woman, boy, girl, child, farmer, fisherman, hunter, shepherd, baker, butcher, miller, merchant, trader,
      king, queen, prince, princess, knight, soldier, wizard, witch, sailor, pirate, hermit, monk, nun, nomad, villager, human,
      herder, gardener, smith, blacksmith, carpenter, explorer, tribe, caveman, peasant, cowboy, ranger, fishwife, innkeeper`),
  },
  being: {
    heads: phrases('alien, monster, creature'),
    members:
      phrases(`alien, martian, monster, robot, elf, dwarf, orc, goblin, troll, giant, ogre, fairy, mermaid, vampire, zombie,
      ghost, hobbit, little green man, extraterrestrial, yeti, centaur`),
  },
  plant: {
    heads: phrases('plant, vegetation, flora, greenery'),
    members:
      phrases(`tree, bush, shrub, hedge, grass, clover, moss, lichen, fern, reed, rush, seaweed, kelp, sedge, bamboo, cactus,
      flower, rose, tulip, daisy, daffodil, sunflower, poppy, lily, water lily, lavender, orchid, dandelion, nettle, thistle,
      bramble, ivy, vine, heather, gorse, mangrove, oak, beech, birch, pine, fir, spruce, larch, willow, poplar, alder, maple, elm,
      chestnut, apple tree, cherry tree, olive tree, palm, palm tree, oak tree, pine tree, fir tree, birch tree, willow tree,
      beech tree, wheat, barley, rye, oat, corn, maize, rice, hay, meadow, forest, wood, woodland, grove, orchard, bulrush,
      cattail, algae, berry, berry bush, blackberry, blueberry, wildflower, herb, weed, duckweed, eelgrass, marram grass, pampas
      grass, dune grass, prairie grass, tall grass, sea grass, seagrass, edelweiss, juniper, holly, cotton grass, potato, cabbage,
      carrot, lettuce, pumpkin, sugar cane, plantation, thicket, undergrowth, sapling, seedling, crop, sagebrush, tumbleweed`),
  },
  furniture: {
    heads: phrases('furniture, furnishing'),
    members:
      phrases(`table, chair, bench, lounger, sun lounger, deckchair, deck chair, armchair, sofa, couch, settee, stool, footstool,
      sideboard, cupboard, wardrobe, desk, shelf, bookcase, bookshelf, bed, cot, hammock, parasol, sunshade, umbrella, swing seat,
      swing, recliner, rocking chair, picnic table, picnic bench, coffee table, side table, dining table, dining chair, cushion,
      seat, daybed, garden table, garden chair, garden bench, patio table, patio chair, patio set, drinks trolley, bean bag,
      beanbag, sunbed, sun bed, chaise, chaise longue, trestle table, plastic chair, wooden bench, folding chair, barstool`),
  },
  food: {
    heads: phrases('food, meal, groceries, kitchen supplies'),
    members:
      phrases(`pizza, mushroom, bread, milk, egg, cheese, butter, pasta, sandwich, lunch, dinner, breakfast, supper, snack, cake,
      coffee, tea, beer, wine, juice, soup, salad, curry, burger, sushi, ice cream, chocolate, tomato, onion, banana, sugar, flour`),
  },
};

/** Verbs of what hardly any house does by a list of functions; they show that a clause begins, and that it is another matter. */
export const otherVerbs =
  phrases(`play, order, book, call, ring, phone, text, email, sing, read, translate, suggest, recommend, find, search,
  look up, calculate, cook, bake, iron, hoover, vacuum, water, charge, lock, unlock, print, download, start, stop, pause, skip, buy,
  arrange, plan, write, draw, paint, explain, compare, convert, invite, pay, wash, park, drive, walk, feed, check, see, show, look, ask,
  pick, rake, sweep, dry, fix, repair, hang, fold, pour, boil, wake, count, name, spell, define, describe, schedule, record, watch, remove, delete, kill, fill, drain, empty, build, save, dig, restart, reboot, throw, hide, lend, teach, learn, send, tidy, prune, weed, sort, dust, mend, replace,
  swap, prepare, serve, decorate, inflate, cover, test, measure, refill, unplug, plug, connect, mute, resume, rename, update, install`);

/** Verbs of many uses, besides those that the rules know as such: what is done, the rest of the words has to say. */
export const looseVerbs = new Set(
  'run drive start do show check work use try help go keep leave carry send see'.split(' '),
);

/** Small words that are often mistyped; longer ones are mended by what the team knows. */
export const mistyped: Readonly<Record<string, string>> = Object.fromEntries(
  'teh the,hte the,adn and,nad and,ot to,fo of,wuold would,woudl would,coudl could,cuold could,cna can,yuo you,plese please,plase please'
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Words that say nothing about whose matter it is: when, where about, how much, for whom, and how people talk. */
export const neutral = new Set(
  `today tonight tomorrow morning evening afternoon night noon midnight now later soon again already still yet moment minute hour
  second day week month year monday tuesday wednesday thursday friday saturday sunday weekend quick quickly slowly slightly little bit
  lot couple few several some any more less much many most enough about around roughly exactly almost nearly really very quite pretty
  rather far way so too just only even also well please thank thanks cheers sorry love mate dear guys folk hey hi hello okay ok right
  yes yeah oh ah um er home house place room side area end part behind beside next near over under inside outside downstairs upstairs
  ta round along across through above below against among during towards past last since until
  here there everywhere somewhere top bottom left whole entire complete completely fully straight away back front up down off on out in
  good nice nicely great lovely fine perfect proper properly own new old other another same different thing stuff something anything
  everything one two three four five six seven eight nine ten time get got give go going come make made let put set turn have has had be
  is are was were am been being do does did can could will would shall should may might must want wanted need needed like fancy
  called named aged brr whew phew ugh argh oops wow hmm ooh aah plenty loads lots stand stands belong belongs sit sits slope edge corner middle centre center foot bank spot
  job mess favour favor sure ready long short big large small huge tiny heap pile bunch group herd flock pack pair set bed asleep sleep
  dinner guest visitor party us me you him her it them they we i he she kid child mum mom dad`
    .trim()
    .split(/\s+/),
);
