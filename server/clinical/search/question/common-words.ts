import { foldWord } from '../../concepts/split-words.ts';
import { isQuestionWord } from './question-words.ts';

/** Ordinary English words of four letters and more which differ from words of medicine by a letter or two, or might. */
const WORDS = `ability ache achy able above accept access accident across act action actual add address adult advance advice affect afford afternoon again
  against age agree ahead aim air alert alive allow almost alone along alter although amount angry animal annual answer apart
  appear apple apply area argue arrive article aside asleep attach attempt attend aunt autumn average avoid award aware away
  awful baby bake balance ball band bank barely base basic basis bath beach bear beat bed beer began begin behave behind belief
  believe bell below belt bench bend benefit beside best bet better beyond bill bird birth birthday bite bitter black blame
  blank blind block blow blue board boat book boot border boring born boss boston both bother bottle bottom bought bowl box boy
  brand brave bread break breakfast breath bridge brief bright bring broad broke brother brought brown brush build bunch burn
  bus business busy button buy cable cake call calm came camp cancel candle card care career careful carry case cash cat catch
  cause cell center centre central certain chain chair challenge chance change charge chart chat cheap check cheer cheese chief
  child choice choose church circle city claim class clean clear clever climb clinic clock close cloth cloud club coach coast
  coat code coffee cold collect college color colour comb come comfort common company compare complain complete computer
  concern confirm connect consent contact contain content continue control cook cool copy corn corner correct cost could
  council count country couple course court cover crash crazy cream create credit crime cross crowd cruel cup current curve
  custom cycle daily damage dance danger dark data daughter dead deal dear death debt decade decide deep degree deliver demand
  deny depend describe desert desk detail develop dig dinner direct directive dirty dish divide doctor dog door double doubt down dozen
  draft drag drain draw dream dress drink drive drop drug dry during dust duty eager earn earth ease easy eat edge effect effort
  egg eight elder elect else email empty end enemy energy engage engine enjoy enough enter entire entry equal error escape
  evening event evil exact exam example except excite expect expert explain extra face fact fail fair faith fall false family
  famous farm fast father fault favor fear feed feel fell fellow felt female fence fever few field fight figure file fill film
  final find fine finger finish fire firm fish fit fix flag flat flight float floor flow flower fluid fly focus fold follow food
  foot force forest forget fork form formal forward found four frame free freeze fresh friend front fruit full fully fun fund
  funny future gain game gap garden gas gate gather gave gentle gift girl glad glance glass glove goal goat gold golf good grab
  grade grain grand grant grass grave gray great green greet grey grip ground group grow growth guard guess guest guide gun
  guy habit hair half hall hand handle hang happen happy harbor hard hardly harm hate head health hear heard heat heavy height
  hell help hide high hill hire hole holiday home honest honor hope horse hospital hotel hour house huge human hundred hungry
  hunt hurry hurt husband idea image imagine impact important improve inch include income increase indeed inform inside
  insist instead intend interest internal invite island issue item jacket january job join joke judge juice jump june july
  justice keen key kick kid kill kind king kiss kitchen knee knife knock knot label labor lack ladder lady lake lamp land language
  large late laugh launch law lay lead leaf learn least leather leave left legal lemon lend length less lesson letter level
  lever library lie life lift light like limit line link lion lip liquid listen little live load loan local lock log lone
  long loose lord lose loss lost loud love lovely low lower luck lucky lunch machine magic mail main major make male manage
  manner map march mark market marry mass master match mate matter maybe meal mean meat medal meet member memory mental menu
  merge mess metal meter method middle might mile military milk mind mine minor minute mirror miss mistake mix model modern
  moment money monitor month mood moon moral morning mother motor mount mountain mouse mouth move movie much music nail name
  narrow nation native nature near nearly neat neck need nerve nervous never news nice night nine noise none noon north nose
  note nothing notice number nurse object obtain obvious occur ocean offer office officer often okay once onion only open
  opinion option orange order organ other ought outside oven over overall owe owner pace pack page paid paint pair palace
  pale panel paper parcel pardon parent park part partner party pass past paste path pause pay peace pen pencil people pepper
  per perfect period permit person pet phone photo phrase piano pick picture piece pink pipe pitch pity place plain plan plane
  plant plastic plate play player please plenty plug plus pocket poem poet point poison police policy polite pond pool poor
  pop popular port possible post potato pound pour power praise pray prefer prepare present press pretty prevent price pride
  print prison private prize process produce profit program promise proof proper protect proud prove provide public pull
  pump punish pure purple purpose push quality queen question quick quiet quit quite race radio rail rain raise ran range
  rank rapid rare rate rather raw reach react read ready real reason receive reduce refer reflect refuse regard region regret
  relate relax release relief remain remark remember remind remote remove rent repair repeat replace reply report request
  require rescue respect respond rest result retire return review rice rich ride right ring rise risk river road rock role
  roll roof room root rope rose rough round route row royal rub rude ruin rule run rush sack safe safety sail salad salary
  sale salt same sample sand save scale scene school score screen sea search season seat second secret section secure seed
  seek seem seize select self sell send senior sense sentence separate serious serve service session set settle seven several
  shade shadow shake shall shape share sharp sheep sheet shelf shell shine ship shirt shock shoe shoot shop short shoulder
  shout show shower shut shy side sight sign signal silent silly silver similar simple since sing single sink sister site
  situation size skill skin sky sleep slide slight slip slow small smart smell smile smoke smooth snake snow soap social
  society sock soft soil soldier solid solve song soon sore sorry sort soul sound soup sour source south space spare speak
  special speech speed spell spend spirit split spoon sport spot spread spring square staff stage stair stamp stand standard
  star stare start state station stay steady steal steam steel steep step stick still stir stock stoke stone stood stop store
  storm story straight strange street strength stress strike string strip strong student study stuff stupid style subject
  succeed such sudden suffer sugar suggest suit summer sun supper supply support suppose sure surface surprise survey swear
  sweet swim switch symbol system table tail take tale talk tall tank tape target task taste taxi teach team tear teeth
  telephone television temper tend tennis term test text thank theory thick thin thing think third thirst thought thousand
  thread threat three throat throw thumb ticket tidy tie tight till time tin tiny tip tired title today toe together tomorrow
  tone tongue tonight tool tooth top total touch tough tour toward towel tower town toy track trade tradition traffic train
  transport travel treat tree trick trip trouble true trunk trust truth try tube tune turn twelve twenty twice twin twist type
  ugly uncle under understand union unit unite until upon upper upset urge urgent usual vacation valley value van various
  vast verb very vessel victory video view village violent visit voice vote voyage wage wait wake walk wall wander want war
  warm warn wash waste watch water wave weak wealth wear weather week weigh welcome west wet wheel while whisper whistle white
  whole wide wife wild win wind window wine wing winter wire wise wish witness woman wonder wood wool word work world worn worry
  worse worst worth wound wrap write wrong yard year yellow yesterday young youth zero zone insurance provider member january
  february march april june july august september october november december monday tuesday wednesday thursday friday saturday
  sunday results result level values number house apartment student football soccer movie weather recipe recipes chicken
  president bump protect snip thing cosa cosas capital account password passport address email phone stock stocks market price hotel flight flights`;

const FOLDED = new Set(WORDS.split(/\s+/).map(foldWord));

/** A word that is not misspelled, though medicine has no use for it: one of these, or a form of one ("cutting", "likely"). */
export const isCommonWord = (folded: string): boolean =>
  FOLDED.has(folded) ||
  isQuestionWord(folded) ||
  ENDINGS.some((ending) => {
    if (!folded.endsWith(ending)) return false;
    const stem = folded.slice(0, -ending.length);
    return (
      stem.length >= 4 &&
      (FOLDED.has(stem) ||
        FOLDED.has(`${stem}e`) ||
        (stem.at(-1) === stem.at(-2) && FOLDED.has(stem.slice(0, -1))))
    );
  });

const ENDINGS = ['ing', 'ed', 'd', 'ly', 'er', 'r', 'est', 'ers', 'y', 'less', 'ness', 'ful', 'able', 'ment'];
