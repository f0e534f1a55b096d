/**
 * Corrections and additions to CLDR's draft subdivision names for the five countries with states, per language of the
 * contract. Chinese is complete here, because CLDR mixes both scripts in one file and has no Traditional one; so is
 * most of Kazakh, because CLDR has little of it.
 */

const dc: Record<string, string> = {
  en: 'District of Columbia',
  sp: 'Distrito de Columbia',
  ar: 'مقاطعة كولومبيا',
  az: 'Kolumbiya dairəsi',
  fr: 'District de Columbia',
  nb: 'District of Columbia',
  kk: 'Колумбия округі',
  de: 'District of Columbia',
  it: 'Distretto di Columbia',
  hr: 'Distrikt Columbia',
  cs: 'District of Columbia',
  hu: 'Columbia kerület',
  pl: 'Dystrykt Kolumbii',
  pt: 'Distrito de Colúmbia',
  ro: 'Districtul Columbia',
  ja: 'コロンビア特別区',
  nl: 'District of Columbia',
  bg: 'Окръг Колумбия',
  ru: 'Округ Колумбия',
};

// The addresses of American forces abroad: Americas, Europe (with Africa and the Middle East), Pacific.
const forces: Record<string, string[]> = {
  en: ['Armed Forces Americas', 'Armed Forces Europe', 'Armed Forces Pacific'],
  sp: ['Fuerzas Armadas (América)', 'Fuerzas Armadas (Europa)', 'Fuerzas Armadas (Pacífico)'],
  ar: ['القوات المسلحة (الأمريكتان)', 'القوات المسلحة (أوروبا)', 'القوات المسلحة (المحيط الهادئ)'],
  az: ['Silahlı Qüvvələr (Amerika)', 'Silahlı Qüvvələr (Avropa)', 'Silahlı Qüvvələr (Sakit okean)'],
  fr: ['Forces armées (Amériques)', 'Forces armées (Europe)', 'Forces armées (Pacifique)'],
  nb: ['Forsvaret (Amerika)', 'Forsvaret (Europa)', 'Forsvaret (Stillehavet)'],
  zh: ['美国武装部队（美洲）', '美国武装部队（欧洲）', '美国武装部队（太平洋）'],
  'zh-TW': ['美國武裝部隊（美洲）', '美國武裝部隊（歐洲）', '美國武裝部隊（太平洋）'],
  kk: ['Қарулы күштер (Америка)', 'Қарулы күштер (Еуропа)', 'Қарулы күштер (Тынық мұхиты)'],
  de: ['Streitkräfte (Amerika)', 'Streitkräfte (Europa)', 'Streitkräfte (Pazifik)'],
  it: ['Forze armate (Americhe)', 'Forze armate (Europa)', 'Forze armate (Pacifico)'],
  hr: ['Oružane snage (Amerika)', 'Oružane snage (Europa)', 'Oružane snage (Pacifik)'],
  cs: ['Ozbrojené síly (Amerika)', 'Ozbrojené síly (Evropa)', 'Ozbrojené síly (Tichomoří)'],
  hu: ['Fegyveres erők (Amerika)', 'Fegyveres erők (Európa)', 'Fegyveres erők (Csendes-óceán)'],
  pl: ['Siły zbrojne (Ameryki)', 'Siły zbrojne (Europa)', 'Siły zbrojne (Pacyfik)'],
  pt: ['Forças Armadas (Américas)', 'Forças Armadas (Europa)', 'Forças Armadas (Pacífico)'],
  ro: ['Forțele Armate (Americi)', 'Forțele Armate (Europa)', 'Forțele Armate (Pacific)'],
  ja: ['米軍（アメリカ大陸）', '米軍（ヨーロッパ）', '米軍（太平洋）'],
  nl: ['Strijdkrachten (Amerika)', 'Strijdkrachten (Europa)', 'Strijdkrachten (Stille Oceaan)'],
  bg: ['Въоръжени сили (Америка)', 'Въоръжени сили (Европа)', 'Въоръжени сили (Тихи океан)'],
  ru: ['Вооружённые силы (Америка)', 'Вооружённые силы (Европа)', 'Вооружённые силы (Тихий океан)'],
};

/** Per language: country, then 'CODE=name' pairs separated by bars. */
export const corrections: Record<string, Record<string, string>> = {
  ar: { AU: 'NT=الإقليم الشمالي|VIC=فيكتوريا|NSW=نيو ساوث ويلز', IN: 'CG=تشاتيسغار|UK=أوتاراخند|TS=تيلانغانا' },
  az: {
    AU: 'ACT=Avstraliya Paytaxt Ərazisi|NT=Şimal Ərazisi',
    IN: 'AR=Arunaçal Pradeş|DH=Dadra və Naqar-Haveli və Daman və Diu|LA=Ladak|LD=Lakşadvip|MP=Madhya Pradeş|OD=Odişa|PB=Pəncab|PY=Puduçerri|TN=Tamil Nadu',
    JP: '01=Hokkaydo|07=Fukuşima|09=Toçiqi|10=Qunma|12=Çiba|22=Şizuoka|23=Ayçi|25=Şiqa|26=Kioto|28=Hyoqo|32=Şimane|34=Hiroşima|35=Yamaquçi|36=Tokuşima',
    US: 'RI=Rod-Aylend',
  },
  fr: { IN: 'PY=Pondichéry', US: 'WA=Washington' },
  hr: {
    AU: 'ACT=Teritorij glavnoga grada Australije',
    IN: 'DH=Dadra i Nagar Haveli i Daman i Diu|LA=Ladakh|OD=Odisha|PY=Puducherry|TS=Telangana',
  },
  hu: { IN: 'DH=Dadra és Nagar Haveli és Daman és Diu' },
  it: { IN: 'OD=Odisha|PY=Puducherry' },
  ja: { IN: 'OD=オディシャ州|LA=ラダック連邦直轄領|PY=プドゥチェリー連邦直轄領' },
  kk: {
    AU: 'ACT=Аустралия астаналық аумағы|NSW=Жаңа Оңтүстік Уэльс|NT=Солтүстік аумақ|TAS=Тасмания|VIC=Виктория|WA=Батыс Аустралия',
    CA: 'NT=Солтүстік-батыс аумақтар|PE=Ханзада Эдуард аралы',
    IN: 'AN=Андаман және Никобар аралдары|AR=Аруначал-Прадеш|BR=Бихар|CG=Чхаттисгарх|CH=Чандигарх|DH=Дадра және Нагар-Хавели, Даман және Диу|GJ=Гуджарат|HP=Химачал-Прадеш|HR=Харьяна|JH=Джаркханд|JK=Джамму және Кашмир|KA=Карнатака|KL=Керала|LA=Ладакх|LD=Лакшадвип|ML=Мегхалая|MZ=Мизорам|OD=Одиша|PB=Пенджаб|PY=Пудучерри|SK=Сикким|TN=Тамилнад|TS=Телангана|UK=Уттаракханд|UP=Уттар-Прадеш|WB=Батыс Бенгалия',
    JP: '01=Хоккайдо|02=Аомори|03=Иватэ|04=Мияги|05=Акита|06=Ямагата|07=Фукусима|08=Ибараки|09=Тотиги|10=Гумма|11=Сайтама|12=Тиба|13=Токио|14=Канагава|15=Ниигата|16=Тояма|17=Исикава|18=Фукуи|19=Яманаси|20=Нагано|21=Гифу|22=Сидзуока|23=Айти|24=Миэ|25=Сига|26=Киото|27=Осака|28=Хёго|29=Нара|30=Вакаяма|31=Тоттори|32=Симанэ|33=Окаяма|34=Хиросима|35=Ямагути|36=Токусима|37=Кагава|38=Эхимэ|39=Коти|40=Фукуока|41=Сага|42=Нагасаки|43=Кумамото|44=Оита|45=Миядзаки|46=Кагосима|47=Окинава',
    US: 'AK=Аляска',
  },
  nb: {
    IN: 'CG=Chhattisgarh|DH=Dadra og Nagar Haveli og Daman og Diu|LA=Ladakh|LD=Lakshadweep|OD=Odisha|TS=Telangana|UK=Uttarakhand',
  },
  nl: { IN: 'AN=Andamanen en Nicobaren' },
  pt: { AU: 'VIC=Victoria', IN: 'LA=Ladakh|OD=Odisha|UK=Uttarakhand|SK=Sikkim' },
  ro: { AU: 'ACT=Teritoriul Capitalei Australiene', CA: 'NT=Teritoriile de Nord-Vest|QC=Quebec' },
  ru: { IN: 'ML=Мегхалая|TN=Тамилнад|TS=Телангана|PY=Пудучерри', JP: '32=Симанэ|38=Эхимэ' },
  sp: { IN: 'MH=Maharashtra|ML=Meghalaya|MZ=Mizoram|OD=Odisha|GJ=Gujarat|PB=Punyab' },
  zh: {
    AU: 'ACT=澳大利亚首都领地|NSW=新南威尔士州|NT=北领地|QLD=昆士兰州|SA=南澳大利亚州|TAS=塔斯马尼亚州|VIC=维多利亚州|WA=西澳大利亚州',
    CA: 'AB=艾伯塔省|BC=不列颠哥伦比亚省|MB=马尼托巴省|NB=新不伦瑞克省|NL=纽芬兰与拉布拉多省|NS=新斯科舍省|NT=西北地区|NU=努纳武特地区|ON=安大略省|PE=爱德华王子岛省|QC=魁北克省|SK=萨斯喀彻温省|YT=育空地区',
    IN: 'AN=安达曼和尼科巴群岛|AP=安得拉邦|AR=阿鲁纳恰尔邦|AS=阿萨姆邦|BR=比哈尔邦|CG=恰蒂斯加尔邦|CH=昌迪加尔|DH=达德拉-纳加尔哈维利和达曼-第乌|DL=德里|GA=果阿邦|GJ=古吉拉特邦|HP=喜马偕尔邦|HR=哈里亚纳邦|JH=贾坎德邦|JK=查谟和克什米尔|KA=卡纳塔克邦|KL=喀拉拉邦|LA=拉达克|LD=拉克沙群岛|MH=马哈拉施特拉邦|ML=梅加拉亚邦|MN=曼尼普尔邦|MP=中央邦|MZ=米佐拉姆邦|NL=那加兰邦|OD=奥里萨邦|PB=旁遮普邦|PY=本地治里|RJ=拉贾斯坦邦|SK=锡金邦|TN=泰米尔纳德邦|TR=特里普拉邦|TS=特伦甘纳邦|UK=北阿坎德邦|UP=北方邦|WB=西孟加拉邦',
    JP: '01=北海道|02=青森县|03=岩手县|04=宫城县|05=秋田县|06=山形县|07=福岛县|08=茨城县|09=栃木县|10=群马县|11=埼玉县|12=千叶县|13=东京都|14=神奈川县|15=新潟县|16=富山县|17=石川县|18=福井县|19=山梨县|20=长野县|21=岐阜县|22=静冈县|23=爱知县|24=三重县|25=滋贺县|26=京都府|27=大阪府|28=兵库县|29=奈良县|30=和歌山县|31=鸟取县|32=岛根县|33=冈山县|34=广岛县|35=山口县|36=德岛县|37=香川县|38=爱媛县|39=高知县|40=福冈县|41=佐贺县|42=长崎县|43=熊本县|44=大分县|45=宫崎县|46=鹿儿岛县|47=冲绳县',
    US: 'AK=阿拉斯加州|AL=亚拉巴马州|AR=阿肯色州|AZ=亚利桑那州|CA=加利福尼亚州|CO=科罗拉多州|CT=康涅狄格州|DC=哥伦比亚特区|DE=特拉华州|FL=佛罗里达州|GA=佐治亚州|HI=夏威夷州|IA=艾奥瓦州|ID=爱达荷州|IL=伊利诺伊州|IN=印第安纳州|KS=堪萨斯州|KY=肯塔基州|LA=路易斯安那州|MA=马萨诸塞州|MD=马里兰州|ME=缅因州|MI=密歇根州|MN=明尼苏达州|MO=密苏里州|MS=密西西比州|MT=蒙大拿州|NC=北卡罗来纳州|ND=北达科他州|NE=内布拉斯加州|NH=新罕布什尔州|NJ=新泽西州|NM=新墨西哥州|NV=内华达州|NY=纽约州|OH=俄亥俄州|OK=俄克拉何马州|OR=俄勒冈州|PA=宾夕法尼亚州|RI=罗得岛州|SC=南卡罗来纳州|SD=南达科他州|TN=田纳西州|TX=得克萨斯州|UT=犹他州|VA=弗吉尼亚州|VT=佛蒙特州|WA=华盛顿州|WI=威斯康星州|WV=西弗吉尼亚州|WY=怀俄明州',
  },
  'zh-TW': {
    AU: 'ACT=澳洲首都領地|NSW=新南威爾斯州|NT=北領地|QLD=昆士蘭州|SA=南澳州|TAS=塔斯馬尼亞州|VIC=維多利亞州|WA=西澳州',
    CA: 'AB=亞伯達省|BC=卑詩省|MB=曼尼托巴省|NB=新布藍茲維省|NL=紐芬蘭與拉布拉多省|NS=新斯科細亞省|NT=西北地區|NU=努納福特地區|ON=安大略省|PE=愛德華王子島省|QC=魁北克省|SK=薩斯喀徹溫省|YT=育空地區',
    IN: 'AN=安達曼和尼科巴群島|AP=安得拉邦|AR=阿魯納恰爾邦|AS=阿薩姆邦|BR=比哈爾邦|CG=恰蒂斯加爾邦|CH=昌迪加爾|DH=達德拉-納加爾哈維利和達曼-第烏|DL=德里|GA=果阿邦|GJ=古吉拉特邦|HP=喜馬偕爾邦|HR=哈里亞納邦|JH=賈坎德邦|JK=查謨和喀什米爾|KA=卡納塔克邦|KL=喀拉拉邦|LA=拉達克|LD=拉克沙群島|MH=馬哈拉什特拉邦|ML=梅加拉亞邦|MN=曼尼普爾邦|MP=中央邦|MZ=米佐拉姆邦|NL=那加蘭邦|OD=奧里薩邦|PB=旁遮普邦|PY=朋迪治里|RJ=拉賈斯坦邦|SK=錫金邦|TN=坦米爾那都邦|TR=特里普拉邦|TS=特倫甘納邦|UK=北阿坎德邦|UP=北方邦|WB=西孟加拉邦',
    JP: '01=北海道|02=青森縣|03=岩手縣|04=宮城縣|05=秋田縣|06=山形縣|07=福島縣|08=茨城縣|09=栃木縣|10=群馬縣|11=埼玉縣|12=千葉縣|13=東京都|14=神奈川縣|15=新潟縣|16=富山縣|17=石川縣|18=福井縣|19=山梨縣|20=長野縣|21=岐阜縣|22=靜岡縣|23=愛知縣|24=三重縣|25=滋賀縣|26=京都府|27=大阪府|28=兵庫縣|29=奈良縣|30=和歌山縣|31=鳥取縣|32=島根縣|33=岡山縣|34=廣島縣|35=山口縣|36=德島縣|37=香川縣|38=愛媛縣|39=高知縣|40=福岡縣|41=佐賀縣|42=長崎縣|43=熊本縣|44=大分縣|45=宮崎縣|46=鹿兒島縣|47=沖繩縣',
    US: 'AK=阿拉斯加州|AL=阿拉巴馬州|AR=阿肯色州|AZ=亞利桑那州|CA=加利福尼亞州|CO=科羅拉多州|CT=康乃狄克州|DC=哥倫比亞特區|DE=德拉瓦州|FL=佛羅里達州|GA=喬治亞州|HI=夏威夷州|IA=愛荷華州|ID=愛達荷州|IL=伊利諾州|IN=印第安納州|KS=堪薩斯州|KY=肯塔基州|LA=路易斯安那州|MA=麻薩諸塞州|MD=馬里蘭州|ME=緬因州|MI=密西根州|MN=明尼蘇達州|MO=密蘇里州|MS=密西西比州|MT=蒙大拿州|NC=北卡羅來納州|ND=北達科他州|NE=內布拉斯加州|NH=新罕布夏州|NJ=紐澤西州|NM=新墨西哥州|NV=內華達州|NY=紐約州|OH=俄亥俄州|OK=奧克拉荷馬州|OR=奧勒岡州|PA=賓夕法尼亞州|RI=羅德島州|SC=南卡羅來納州|SD=南達科他州|TN=田納西州|TX=德克薩斯州|UT=猶他州|VA=維吉尼亞州|VT=佛蒙特州|WA=華盛頓州|WI=威斯康辛州|WV=西維吉尼亞州|WY=懷俄明州',
  },
};

export { dc, forces };
