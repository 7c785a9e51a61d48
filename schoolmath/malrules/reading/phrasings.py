"""Questions as people say them, each with the words of a form that asks the same.

A row is a pattern over the whole question and what to ask in its place. Words in
capitals stand for what `_PLACEHOLDERS` says: ``NUM`` for a number, ``INT`` for a whole one, ``LEN``
for a length with or without its unit, ``ASK`` for "what is", "find" and the like. A question that
has anything more is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schoolmath.malrules.reading.topics.shapes import length_from_size, shape_question

NUMBER = r"-?(?:\d+ \d+/\d+|\d+/\d+|\d+\.\d+|\.\d+|\d+)"
_PLACEHOLDERS = {
    "NUM": f"({NUMBER})",
    "INT": r"(\d+)",
    "LEN": r"(\d+)(?: ?(?:cm|mm|m|km|units?|(?:centi)?met(?:re|er)s?))?",
    "DEG": r"(\d+) ?(?:°|degrees?)?",
    "ASK": r"(?:what(?:'s| is| are| would be)?|find|work out|calculate|determine|give|state"
    r"|identify|write(?: down)?|(?:which|what) number is"
    r"|how (?:long|big|large|much) is)",
    "RIGHT": r"(?:a |the )?right(?:-angled)? triangle",
    "TRI": r"(?:a |the )?triangle",
    "AND": r"(?: and|,)",
    "OTHER": r"(?:third|missing|other|last|remaining)",
    "UNIT": r"(?:kg|g|km|m|cm|mm|l|ml|lit(?:re|er)s?|met(?:re|er)s?|hours?|min(?:ute)?s?|days?"
    r"|p|pence|cents|dollars|pounds|euros)",
    "SPEED": r"(?:(?:an? )?(?:constant |steady |average |uniform )?speed of )?"
    r"INT (?:km/h|km per hour|kmh|mph|miles (?:per|an) hour)",
    "DISTANCE": r"(?:how far|(?:how much|what)"
    r" distance) (?:does|will|did|can|has) (?:it|he|she|the [a-z]+) (?:go|travel(?:led)?|drive"
    r"|cover(?:ed)?|run|move)",
    "HOURS": r"(\d+(?:\.\d+)?) (?:h|hours?|hrs?)",
    "SIDES": r"how many sides (?:does|has) (?:the polygon|it)(?: have)?",
    "METRE": r"(?:1|an?|one) (?:m|met(?:er|re)|pound|dollar)",
}
_PLACEHOLDER = re.compile("|".join(_PLACEHOLDERS))

_THIRD = (
    r"Two angles of a triangle measure \1 degrees and \2 degrees. "
    r"How many degrees does the third angle measure?"
)

_ROWS: tuple[tuple[str, str], ...] = (
    # Calculations in words.
    (r"(?:ASK )?NUM (?:subtracted|taken away|taken) from NUM(?: gives| is| equals)?", r"\2 - \1"),
    (r"(?:ASK )?NUM less than NUM", r"\2 - \1"),
    (r"(?:ASK )?NUM more than NUM", r"\2 + \1"),
    (r"(?:ASK )?(?:the )?(?:total|sum) of NUM (?:and|,) NUM", r"\1 + \2"),
    (r"(?:how (?:many|much)|by how (?:many|much)) (?:(?:more|larger|bigger|greater) is NUM"
     r"|is NUM (?:more|larger|bigger|greater)) than NUM", r"\1\2 - \3"),
    (r"(?:what(?: number)?|which number|how much) (?:must|should|has to|needs to) be added to NUM "
     r"to "
     r"(?:make|get|give|reach) NUM(?: as a sum)?", r"\2 - \1"),
    (r"(?:by how much does NUM exceed NUM|NUM exceeds NUM by how (?:much|many)"
     r"|(?:what|how much) (?:must|should|has to|needs to) be (?:taken|subtracted|taken away) from "
     r"NUM to (?:leave|get|give|make) NUM|NUM (?:reduced|decreased) by NUM"
     r"|NUM is how (?:much|many) (?:more|greater|larger) than NUM)",
     r"\1\3\5\7\9 - \2\4\6\8\10"),
    (r"how (?:much|many) more than NUM is NUM|what is left (?:when|if) NUM is (?:taken|subtracted"
     r"|taken away) from NUM|if NUM is (?:taken|subtracted|taken away) from NUM,? (?:what|how much"
     r"|how many) (?:is|are) left", r"\2\4\6 - \1\3\5"),
    (r"increase NUM by NUM|NUM increased by NUM", r"\1\3 + \2\4"),
    (r"how (?:much|many) (?:is|are) left if (?:you|i|we) take (?:away )?NUM from NUM", r"\2 - \1"),
    (r"(?:ASK )?(?:the )?quotient (?:when|if|of) INT (?:is )?(?:divided )?by INT", r"\1 ÷ \2"),
    (r"double INT(?: and|,| then)+ (?:add|plus) INT", r"2 × \1 + \2"),
    (r"(?:(?:the )?sum of two numbers is|two numbers add up to) NUM(?: and|[.;,])(?: if)? one "
     r"(?:of them |number )?is NUM[.;,] ASK (?:is )?the other(?: one| number)?", r"\1 - \2"),
    (r"(?:ASK )?(?:the )?(?:total )?cost of INT [a-z]+ at [$£€]?NUM each", r"\1 × \2"),
    (r"ASK the (?:smallest|least|lowest) (?:whole )?number (?:that is |which is )?divisible by "
     r"(?:both )?INT and INT", r"What is the LCM of \1 and \2?"),
    (r"double INT(?: and|,| then)+ (?:subtract|take away|minus) INT", r"2 × \1 - \2"),
    (r"how (?:many|much) (?:less|fewer|smaller) is NUM than NUM", r"\2 - \1"),
    (r"INT (?:groups|lots|sets|rows) of INT", r"\1 × \2"),
    (r"(?:share|split|divide) INT (?:equally )?(?:between|among|by) INT"
     r"(?: children| pupils| people| friends| kids)?", r"\1 ÷ \2"),
    # "Divide 4 into 12" is 12 ÷ 4, so parts have to be told.
    (r"(?:(?:share|split|divide) INT|INT (?:split|divided)) into INT equal (?:parts|groups|shares)",
     r"\1\2 ÷ \3"),
    (r"how many INT'?s (?:are (?:there )?in|in|make|go into) INT", r"\2 ÷ \1"),
    (r"how many times (?:does|will|can) INT (?:go|fit) into INT", r"\2 ÷ \1"),
    (r"(?:ASK )?(?:double|twice) NUM", r"2 × \1"),
    (r"(?:ASK )?(?:triple|three times|treble) NUM", r"3 × \1"),
    (r"(?:ASK )?(\d*\.\d+) of INT", r"\1 × \2"),
    (r"(?:ASK )?NUM squared", r"\1^2"),
    (r"(?:ASK )?NUM cubed", r"\1^3"),
    (r"(?:if )?two angles are (compl|suppl)ementary(?:[.;,]| and)+ (?:if )?(?:one|1)(?: angle"
     r"| of them)? (?:is|measures) DEG[.;,]? (?:then )?ASK (?:is )?(?:the )?(?:measure |size )?"
     r"(?:of )?(?:the )?OTHER(?: angle| one)?",
     r"An angle measures \2 degrees. How many degrees does its \1ement measure?"),
    (r"[a-z]+ (?:takes|has|starts|begins) an? INT-minute [a-z ]+ (?:starting |beginning )?at "
     r"(\d+:\d\d)[.;,] (?:at )?what time [a-z ]+", r"What time is \1 minutes after \2?"),
    (r"(?:which|what) digit (?:in|of) (?:the )?(?:number|numeral) (\d+(?:\.\d+)?) is in the "
     r"([a-z]+)'? "
     r"(?:place|column|position)", r"Which digit is in the \2 place of \1?"),
    (r"(?:if )?NUM is NUM ?% of (?:a|some) number[.;,] ASK (?:is )?(?:the|this|that) number",
     r"\1 is \2% of what number?"),
    (r"NUM is how many times (?:as (?:much|many|large|big) as|larger than|bigger than) NUM",
     r"\1 ÷ \2"),
    (r"(?:each|an|one) interior angle of a regular polygon is DEG[.;,] SIDES", r"360 ÷ (180 - \1)"),
    (r"(?:each|an|one) exterior angle of a regular polygon is DEG[.;,] SIDES", r"360 ÷ \1"),
    (r"(?:a (?:pattern|sequence)(?: rule)?:? )?starts? (?:at|with) INT and adds? INT each "
     r"time[.;,] "
     r"ASK (?:is )?the INT(?:st|nd|rd|th) (?:number|term)(?: (?:in|of) (?:this|the) [a-z]+)?",
     r"\1 + (\3 - 1) × \2"),
    (r"(?:ASK )?(?:the )?slope of (?:a|the) line (?:passing|that passes|going|which goes) through"
     r" (?:the )?(?:two )?points (\(.*\))", r"slope between \1"),
    (r"(?:ASK )?INT (?:to|raised to) the (?:power (?:of )?)?INT(?:th|rd|nd|st)?(?: power)?",
     r"\1^\2"),
    (r"(?:(?:in )?which|what) (?:digit|number) is in the ([a-z]+)(?:'s)? (?:place|column"
     r"|position) (?:in|of)(?: the number)? (\d+(?:\.\d+)?)",
     r"Which digit is in the \1 place of \2?"),
    (r"(?:what|which) (?:is the )?([a-z]+) digit (?:in|of)(?: the number)? (\d+(?:\.\d+)?)",
     r"Which digit is in the \1 place of \2?"),
    (r"(?:ASK )?(?:the )?(?:term number )?INT(?:st|nd|rd|th)? term (?:of|in) (?:the sequence )?"
     r"(?:(?:given by|with|whose|that has|has) )?(?:this |the )?(?:nth )?(?:term|rule|formula)?"
     r"(?: is|:)? ?"
     r"([-+\dn ]*\dn[-+\dn ]*|n ?[+-] ?\d+)", r"What is the value of \2 when n = \1?"),
    (r"(?:ASK )?(?:sqrt ?\(? ?|the square root of |square root of )INT ?\)?", r"√\1"),
    (r"(?:ASK )?\( ?INT ?([+-]) ?INT ?\) ?[x×*] ?INT", r"\4 × (\1 \2 \3)"),
    (r"(.*\d.*?) (?:is|equals|=|is equal to|gives)(?: \?)?", r"\1"),
    (r"(.*\S) (?:remainder|with remainder|and remainder)", r"\1"),
    (r"(?:ASK )?INT ?(?:÷|divided by) ?(\d+/\d+)", r"\1/1 ÷ \2"),
    (r"INT\^INT ?[x×*·] ?\1\^INT", r"Write \1^\2 × \1^\3 as one power."),
    (r"(?:ASK |write )?(\d(?:\.\d+)?) ?[x×*] ?10\^(-?\d+)(?: as (?:a|an ordinary) number)?",
     r"Write \1 × 10^\2 as a number."),
    (r"(?:write |express )?(\d(?:\.\d+)?) ?[x×*] ?10\^(-?\d+) (?:in|as) (?:an? )?"
     r"(?:standard form|ordinary form|standard notation|decimal form|whole number)",
     r"Write \1 × 10^\2 as a number."),
    (r"(?:write |ASK )?(\d[\d ]*(?: \+ \d+)+) (?:in|as) (?:standard form|a number|one number)",
     r"Which number is \1?"),
    (r"(?:which (?:is|one is) )?(?:compare|larger|bigger|greater)?:? ?NUM (?:and|or|with|to) NUM,? "
     r"which (?:is|one is|number is|fraction is|decimal is) (?:the )?(?:larger|bigger|greater)",
     r"Which is larger, \1 or \2?"),
    (r"which (?:one |number |fraction |decimal )?is (?:the )?(?:larger|bigger|greater)[:,?]? "
     r"NUM or NUM",
     r"Which is larger, \1 or \2?"),
    (r"(?:ASK |write |simplify )?(\d+/\d+) (?:simplified|reduced)(?: fully| to lowest terms)?",
     r"Write \1 in lowest terms."),
    (r"(?:ASK |what )?(?:place )?value (?:is|of|does|has) the (?:digit )?(\d) (?:in|have in) INT",
     r"value of the \1 in \2"),
    (r"compare NUM (?:and|with|to) NUM", r"Which is larger, \1 or \2?"),
    (r"(?:ASK )?(?:\|(-\d+)\||(?:the )?absolute value of (-\d+))", r"What is |\1\2|?"),
    (r"(?:ASK )?\|INT - INT\|", r"What is |\1 - \2|?"),
    (r"is INT (?:a )?prime(?: number)?(?: or (?:not|composite))?", r"Is \1 a prime number?"),
    (r"INT (?:is )?prime(?: or (?:not|composite))?", r"Is \1 a prime number?"),
    (r"(?:ASK )?(?:a |one )?half of (\d+/\d+)", r"1/2 × \1"),
    (r"(?:ASK )?(\d+/\d+) of [$£€]?INT ?(?:UNIT|people|children|pupils|students)", r"\1 of \2"),
    (r"(?:ASK )?(\d+/\d+) of (\d+/\d+)", r"\1 × \2"),
    (r"(?:ASK )?(?:the )?cube of INT", r"\1^3"),
    (r"(?:ASK )?(?:the )?square of INT", r"\1^2"),
    (r"(?:ASK )?(?:the )?(?:least|lowest) common (?:multiple|denominator) of INT, ?INT",
     r"What is the LCM of \1 and \2?"),
    (r"(?:ASK )?(?:the )?(?:LCD|(?:least|lowest) common denominator) of \d+/(\d+)AND \d+/(\d+)",
     r"What is the LCM of \1 and \2?"),
    (r"(?:GCD|GCF|HCF) ?\(INT, ?INT\)", r"What is the HCF of \1 and \2?"),
    (r"(?:ASK )?(?:the )?(?:HCF|GCF|GCD) of INTAND INT", r"What is the HCF of \1 and \2?"),
    (r"(?:the )?mean of INT (?:numbers|values|scores) is NUM[.;] ASK (?:is )?(?:their|the) "
     r"(?:sum|total)(?: of the (?:numbers|values|scores))?", r"\1 × \2"),
    (r"LCM ?\(INT, ?INT\)", r"What is the LCM of \1 and \2?"),
    (r"which number is NUM times (?:as (?:much|large|big) as )?NUM", r"\2 × \1"),
    (r"(?:write|give|express) (.*\d.*) to the nearest (.*)", r"Round \1 to the nearest \2"),
    (r"(?:simplify|reduce) INT ?: ?INT", r"Write \1/\2 in lowest terms."),
    (r"(?:ASK )?(?:a|one) third of (\d+/\d+)", r"1/3 × \1"),
    (r"(?:ASK )?(?:a|one) (?:quarter|fourth) of (\d+/\d+)", r"1/4 × \1"),
    (r"(?:write |express |convert |ASK )?(\d*\.\d+) (?:as|to|into) a fraction,? "
     r"(?:in (?:its |the )?(?:lowest terms|simplest form)|fully simplified)",
     r"Write \1 as a fraction."),
    (r"(?:write |express |convert |change )?(\d+\.\d+) (?:as|to|into) a mixed (?:number|fraction)",
     r"Write \1 as a fraction."),
    (r"(?:write |express |ASK )?INT min(?:ute)?s? as a fraction of an hour",
     r"Write \1/60 in lowest terms."),
    (r"what fraction of (?:1|an|one) hour is INT min(?:ute)?s?", r"Write \1/60 in lowest terms."),
    (r"(?:write |express |ASK )?INT (?:cm|p|cents?|pence) as a fraction of METRE"
     r"|what fraction of METRE is INT (?:cm|p|cents?|pence)", r"Write \1\2/100 in lowest terms."),
    (r"(?:write |express |ASK )?INT (?:g|grams|m|met(?:er|re)s|ml) as a fraction of (?:1|an?|one) "
     r"(?:kg|kilogram|km|kilomet(?:er|re)|l|lit(?:er|re))", r"Write \1/1000 in lowest terms."),
    (r"what fraction of INT is INT|(?:write|express) INT as a fraction of INT",
     r"Write \2\3/\1\4 in lowest terms."),
    (r"(?:(?:list|write(?: down)?|name|find|give|ASK) )?(?:all )?(?:of )?(?:the )?factors of INT",
     r"What are all the factors of \1?"),
    (r"(?:(?:write|express|give|show) )?INT as (?:a|the) product of (?:its |the )?prime(?: number|"
     r" factor)?s", r"Write \1 as a product of prime factors."),
    (r"prime factori[sz]e INT", r"Write \1 as a product of prime factors."),
    (r"\((-?\d+)\) ?\((-?\d+)\)", r"\1 × (\2)"),
    (r"(?:solve )?(?:simultaneously|the simultaneous equations"
     r"|the (?:system|pair)(?: of equations)?):? (.*=.*)", r"Solve \1."),
    (r"solve:? (.*=.*) simultaneously", r"Solve \1."),
    (r"(?:(?:write|find|give|ASK) )?(?:the )?prime factori[sz]ation of INT",
     r"Write \1 as a product of prime factors."),
    (r"(?:write|express|give|expand)? ?INT in (?:its )?(?:expanded|extended) (?:form|notation)",
     r"Write \1 in expanded form."),
    (r"(?:(?:write|express|give) )?(\d[\d.]*) (?:in|using) (?:scientific notation|standard form)",
     r"Write \1 in scientific notation."),
    (r"(?:(?:simplify|reduce|write|express|ASK) )?(?:the )?ratio (?:of )?INT ?(?::|to) ?INT"
     r"(?: in (?:its |the )?(?:simplest|lowest) (?:form|terms))?",
     r"Write \1/\2 in lowest terms."),
    (r"(?:the |if the )?ratio of ([a-z]+) to ([a-z]+)(?: in [a-z ]+?)? is INT ?(?::|to) ?INT[.;,] "
     r"(?:if )?there are INT \2[.;,] how many \1(?: are there)?", r"\3/\4 = _/\5"),
    # Percents and prices.
    (r"(?:ASK (?:the )?(?:sale |new |final )?(?:price|cost):? )?an? ?[$£€]?NUM [a-z ]+?, NUM ?% off"
     r"|(?:ASK (?:the )?(?:sale |new |final )?(?:price|cost):? )?[$£€]NUM [a-z ]+?, NUM ?% off"
     r"(?:, ASK (?:is )?the (?:sale |new )?price)?",
     r"Decrease \1\3 by \2\4%"),
    (r"an? [$£€]NUM [a-z ]+? is marked up (?:by )?NUM ?%"
     r"(?:[.;] ASK (?:is )?(?:the |its )?(?:new |final |selling )?(?:price|cost))?",
     r"Increase \1 by \2%"),
    (r"ASK (?:the )?(?:sales )?(?:tax|tip|vat|discount|commission) (?:on|of) [$£€]?NUM at NUM ?%",
     r"\2% of \1"),
    (r"ASK (?:the )?(?:tax|tip|discount) on an? [$£€]?NUM [a-z]+ at NUM ?%", r"\2% of \1"),
    (r"an? [a-z]+ costs? [$£€]?NUM (?:plus|and) NUM ?% (?:tax|tip|vat)[.;,] ASK (?:is )?the total"
     r"(?: cost| price)?", r"Increase \1 by \2%"),
    (r"[$£€]INT for INT ([a-z]+?)s?[.;,] how much (?:is (?:1|one|each)|per|for (?:1|one)) \3",
     r"\1 ÷ \2"),
    (r"(?:ASK )?NUM ?% more than [$£€]?NUM", r"Increase \2 by \1%"),
    (r"(?:ASK )?NUM ?% less than [$£€]?NUM", r"Decrease \2 by \1%"),
    (r"ASK (?:the )?unit rate:? (?:INT [a-z]+ in INT (?:hours?|min(?:ute)?s?|seconds?|days?|weeks?)"
     r"|[$£€]INT for INT [a-z]+)", r"\1\3 ÷ \2\4"),
    (r"(?:if )?INT ([a-z]+?)e?s cost [$£€]NUM[,.;] (?:ASK (?:is )?(?:the )?(?:cost|price) of"
     r"|how much (?:does|is)) (?:1|one|each|a) \2(?: costs?)?", r"\3 ÷ \1"),
    (r"(?:share|divide|split) INT (?:UNIT|[a-z]{4,}s) in(?:to)? the ratio (?:of )?"
     r"INT ?(?::|to) ?INT", r"Share \1 in the ratio \2:\3"),
    (r"(?:ASK )?(\d+\.\d+) ?% of [$£€]?INT", r"\1 × \2 ÷ 100"),
    (r"(?:if )?INT (kg|g|m|km|l|lit(?:er|re)s?|met(?:er|re)s?|pounds?) of ([a-z]+) costs? [$£€]?INT"
     r"(?:p| cents?| pence)?[,.] (?:then )?how much (?:do|does|will|would) INT \2(?: of \3)?"
     r"(?: costs?)?",
     r"In a table y is proportional to x. For x = \1 it says y = \4. What is y for x = \5?"),
    (r"(?:what|which) percent(?:age)? is NUM of NUM", r"What percent of \2 is \1?"),
    (r"(?:what|which) percentage of NUM is NUM", r"What percent of \1 is \2?"),
    (r"ASK the number if NUM ?% of it is NUM", r"\2 is \1% of what number?"),
    (r"the (?:price|cost) of an? [$£€]NUM [a-z ]+? is (?:increased|raised) by NUM ?%"
     r"[.,;] ASK (?:is )?(?:the |its )?(?:new |final )?(?:price|cost)", r"Increase \1 by \2%"),
    (r"(?:if )?INT (workers|people|men|painters|builders) (?:take|need) INT days[.,;] how "
     r"(?:long|many days) (?:would|will|do) INT(?: \2)?(?: take| need)?",
     r"\1 workers need \3 days. How many days do \4 workers need for the same work?"),
    (r"an? [$£€]INT [a-z ]+? (?:is now|now costs|is on sale for) (?:only )?[$£€]INT[.;] ASK "
     r"(?:is |was )?the percent(?:age)? (?:decrease|reduction|discount)",
     r"percent decrease from \1 to \2"),
    (r"(?:reduce|lower|cut) NUM by NUM ?%", r"Decrease \1 by \2%"),
    (r"NUM ?% off (?:of )?[$£€]?NUM", r"Decrease \2 by \1%"),
    (r"[$£€]?NUM (?:plus|with|and) (?:an? )?NUM ?% (?:tip|tax|vat|service)",
     r"Increase \1 by \2%"),
    (r"an? [a-z ]+? (?:costs?|is|sells for) [$£€]?INT after (?:an? )?INT ?% (?:discount|reduction"
     r"|off)[.,;] (?:ASK (?:is |was )?(?:the |its )?(?:original |old |normal |full )?(?:price|cost)"
     r"(?: before(?: the discount)?)?|what did it cost before)",
     r"After a discount of \2% a bag costs $\1. What was the price before the discount?"),
    (r"(?:an?|the) [a-z ]+? (?:costs?|is priced at|sells for|was) [$£€]?NUM(?: and|,? but|[.,] it)?"
     r"(?: is| are| has| comes with| on sale)?(?: at| with| for)?(?: an?)? NUM ?% (?:off|discount)"
     r"(?:[.,;] ASK (?:is )?(?:the |its )?(?:new |sale |final |reduced )?(?:price|cost))?",
     r"Decrease \1 by \2%"),
    (r"(?:an?|the) [a-z ]+? (?:costs?|is priced at|was) [$£€]?NUM(?: and|[.,;])(?: it| the price)? "
     r"(?:goes up|rises|is (?:increased|raised)) by NUM ?%"
     r"(?:[.,;] ASK (?:is )?(?:the |its )?(?:new |final )?(?:price|cost))?", r"Increase \1 by \2%"),
    (r"an? [$£€]NUM [a-z ]+? (?:is|has|comes with|is on sale (?:at|for)|is sold (?:at|with|for)) "
     r"(?:an? )?NUM ?% (?:off|discount)"
     r"(?:[.,;] ASK (?:is )?(?:the |its )?(?:new |sale |final |reduced )?(?:price|cost))?",
     r"Decrease \1 by \2%"),
    (r"(?:a recipe )?for INT people (?:needs|uses|takes|a cook needs) INT ?(?:g|ml|grams|eggs|cups)"
     r"(?: of [a-z]+)?[.,;] how (?:much|many)(?: [a-z]+)? (?:is|are) needed for INT people",
     r"For \1 people a cook needs \2 g. How many g are needed for \3 people?"),
    (r"(?:an?|the) [a-z ]+? (?:costs?|is priced at|was) [$£€]?NUM"
     r"(?: and|[.,;](?: in (?:a|the) sale,?)? it) is "
     r"(?:reduced|discounted|marked down) by NUM ?%"
     r"(?:[.,;] ASK (?:is )?(?:the |its )?(?:new |sale |final |reduced )?(?:price|cost))?",
     r"Decrease \1 by \2%"),
    (r"(?:if )?INT ([a-z]+) costs? [$£€]?INT(?:p| cents?| pence)?[,.]? (?:then )?"
     r"(?:(?:how much|what) (?:do|does|will|would)|ASK "
     r"(?:the )?(?:cost|price) of) INT(?: \2)?(?: costs?)?",
     r"In a table y is proportional to x. For x = \1 it says y = \3. What is y for x = \4?"),
    (r"(?:ASK |write |express |convert )?NUM ?% (?:as|to|into|in) (?:a )?decimal(?: number| form"
     r"| fraction)?", r"Write \1% as a decimal."),
    (r"(?:ASK |write |express |convert )?(\d*\.\d+|\d+) (?:as|to|into|in) (?:a )?"
     r"(?:percent|percentage|%)",
     r"Write \1 as a percent."),
    (r"(?:in|of) (?:a |an |the )?[a-z ]+ of INT(?: [a-z]+)?, INT (?:of them )?"
     r"(?:are|have|like|play) ([a-z ]+)[.;] what percent(?:age)? "
     r"(?:of [a-z ]+ )?(?:are|have|like|play) \3",
     r"\2 out of \1 as a percent"),
    (r"(?:the )?prices? (?:rises?|goes up|go up|increases?) by NUM ?%[.;] ASK (?:is )?the new "
     r"price of an? [$£€]?NUM [a-z]+", r"Increase \2 by \1%"),
    (r"(?:the )?prices? (?:falls?|goes down|go down|decreases?) by NUM ?%[.;] ASK (?:is )?the new "
     r"price of an? [$£€]?NUM [a-z]+", r"Decrease \2 by \1%"),
    (r"(?:the )?cost price(?: is)? [$£€]?NUM(?: and|,|;) (?:the )?selling price(?: is)? "
     r"[$£€]?NUM[.;,] ASK (?:is )?the (?:profit percent(?:age)?|percent(?:age)? profit)",
     r"percent increase from \1 to \2"),
    (r"(?:the )?marked price(?: is)? [$£€]?NUM(?: and|,|;) (?:the )?discount(?: is)? NUM ?%[.;,] "
     r"ASK (?:is )?the (?:selling|sale) price", r"Decrease \1 by \2%"),
    (r"an? [a-z]+ (?:costs?|was|is|comes to) [$£€]?INT[.;] (?:ASK )?(?:is )?(?:the )?"
     r"(?:total|cost|bill|price)(?: cost| price| bill)?,? (?:with|including) (?:an? )?INT ?% "
     r"(?:tip|tax|service charge|sales tax|vat)", r"Increase \1 by \2%"),
    (r"(?:write |express |convert |change |ASK )?INT ?% (?:as|to|into) (?:a )?fraction"
     r"(?: in (?:its |the )?(?:lowest terms|simplest form))?", r"Write \1/100 in lowest terms."),
    (r"(?:a map has|on a map with|a map with) (?:a )?scale (?:of )?1 ?cm (?:to|=|:|for|represents) "
     r"INT ?km[.,;] how far is INT ?cm(?: on the map)?", r"\2 × \1"),
    # Equations, letters and patterns.
    (r"add (\d*[a-z] ?[+-] ?\d+) (?:and|to) (\d*[a-z] ?[+-] ?\d+)", r"Simplify \1 + \2."),
    (r"where does (?:the line )?y ?= ?(.+) (?:cross|cut|meet) the x-axis",
     r"At which x does the line y = \1 cross the x-axis?"),
    (r"where does (?:the line )?y ?= ?(.+) (?:cross|cut|meet) the y-axis",
     r"At which y does the line y = \1 cross the y-axis?"),
    (r"(\d+/\d+) of a number is INT[.;,] ASK (?:is )?the number", r"\1 of x is \2. What is x?"),
    (r"(?:for )?(?:what|which) (?:value|number) of [a-z] (?:makes|is|does) (.*=.*?)(?: true)?",
     r"Solve \1"),
    (r"(?:combine|collect) (?:the )?(?:like|similar) terms(?: in)?(?: the expression)?:? (.*)",
     r"Simplify \1."),
    (r"(?:solve:? )?(\d*\.\d+) ?[a-z] ?= ?NUM", r"\2 ÷ \1"),
    (r"(?:solve:? )?([a-z])(?:\^2|²) ?\+ ?(\d*)\1 ?= ?0", r"x² = -\2x"),
    (r"(?:solve:? )?([a-z])(?:\^2|²) ?- ?(\d*)\1 ?= ?0", r"x² = \2x"),
    (r"(?:ASK |evaluate )?(?:∛ ?\(?|(?:the )?cube root of )INT\)?",
     r"What is the cube root of \1?"),
    (r"(?:ASK )?(?:the )?(?:slope|gradient) (?:between|from) (?:the points )?(\(.*\)) (?:and|to) "
     r"(\(.*\))", r"What is the slope of the line through \1 and \2?"),
    (r"(?:solve:? |solve for [a-z]:? )?(\d+/\d+) ?[a-z] ?= ?INT", r"\1 of x is \2. What is x?"),
    (r"(?:solve:? |solve for [a-z]:? )?(\d+) ?[a-z] ?[/÷] ?INT ?= ?INT",
     r"\1/\2 of x is \3. What is x?"),
    (r"(?:solve:? )?y ?= ?(\d*)x(?:,|;| and) x ?\+ ?y ?= ?INT",
     r"Solve x + y = \2 and \1x - y = 0."),
    (r"(?:solve:? )?y ?= ?(\d*)x ?\+ ?INT(?:,|;| and) x ?\+ ?y ?= ?INT",
     r"Solve x + y = \3 and \1x - y = -\2."),
    (r"(?:solve:? )?y ?= ?(\d*)x ?- ?INT(?:,|;| and) x ?\+ ?y ?= ?INT",
     r"Solve x + y = \3 and \1x - y = \2."),
    (r"(?:solve:? )?(x ?\+ ?y ?= ?\d+)(?:,|;| and) y ?= ?(\d*)x", r"Solve \1 and \2x - y = 0."),
    (r"(?:solve:? )?(x ?\+ ?y ?= ?\d+)(?:,|;| and) y ?= ?(\d*)x ?\+ ?INT",
     r"Solve \1 and \2x - y = -\3."),
    (r"(?:solve:? )?(x ?\+ ?y ?= ?\d+)(?:,|;| and) y ?= ?(\d*)x ?- ?INT",
     r"Solve \1 and \2x - y = \3."),
    (r"(?:solve:? )?([^,;]*- ?y ?= ?\d+)(?:,|;| and) ([^,;]*\+ ?y ?= ?\d+)", r"Solve \2 and \1."),
    (r"(?:expand|multiply out)?:? ?\(([^()]*)\)\^2", r"Expand (\1)(\1)."),
    (r"(?:ASK )?(?:the value of )?[a-z]\^INT,? (?:when|if|for|at|where) [a-z] ?= ?-INT",
     r"(-\2)^\1"),
    (r"(?:factor(?:ise|ize)?(?: completely| fully| out the (?:GCF|HCF|(?:greatest |highest )?"
     r"common factor))?):? (.*[a-z].*)", r"Factorise \1."),
    (r"(?:ASK |write )?(?:the )?next (?:number|term)(?: in (?:the |this )?(?:pattern|sequence))?:? "
     r"(\d+(?:, \d+){2,})(?:, ?(?:_+|\?|\.\.\.|…)?)?",
     r"A pattern goes on in the same way: \1, _. Which number comes next?"),
    (r"(\d+(?:, \d+){2,}),(?: ?_+)?",
     r"A pattern goes on in the same way: \1, _. Which number comes next?"),
    (r"(?:ASK )?(?:the )?y[- ]intercept(?: of|:) ?(?:the )?(?:line |graph of )?(?:the line )?y ?= "
     r"?(.+)",
     r"At which y does the line y = \1 cross the y-axis?"),
    (r"(?:ASK )?(?:the )?x[- ]intercept of (?:the )?(?:line |graph of )?(?:the line )?y ?= ?(.+)",
     r"At which x does the line y = \1 cross the x-axis?"),
    (r"(?:ASK )?(?:the )?(mean|average|median|mode|range):? (-?\d[-\d., ]*\d)", r"\1 of \2"),
    (r"(?:ASK )?(?:the )?(?:mean|average) of NUM (?:and|,) NUM", r"What is (\1 + \2) ÷ 2?"),
    (r"(?:i have (?:3|three) numbers[.;,] )?(?:two|2) of the (?:(?:3|three) )?numbers are INT and "
     r"INT[.;,] (?:the )?(?:mean|average)(?: \(average\))? of the (?:3|three) numbers is INT[.;,] "
     r"ASK (?:is )?the OTHER(?: one| number)?", r"3 × \3 - \1 - \2"),
    (r"(?:the )?(?:mean|average) of (?:3|three) numbers is INT[.;,] (?:two|2) of "
     r"(?:them|the numbers) are INT and INT[.;,] ASK (?:is )?the OTHER(?: one| number)?",
     r"3 × \1 - \2 - \3"),
    (r"(?:ASK )?(?:the )?midpoint (?:of|between) (?:the points? )?(\(.*\)) (?:and|to) (\(.*\))",
     r"What is the midpoint of \1 and \2?"),
    (r"expand INT", r"Write \1 in expanded form."),
    # Times.
    (r"(?:ASK )?(?:the )?(?:average )?speed:? (?:for |of )?INT (?:km|kilomet(?:re|er)s?|miles) "
     r"(?:in )?INT (?:h|hours?|hrs?)",
     r"A car goes \1 km in \2 h. What is its speed in km/h?"),
    (r"it is (\d+:\d\d)(?: ?[ap]\.?m\.?)?[.,;] (?:what time|what) (?:will it be|is it) (?:in )?INT "
     r"min(?:ute)?s?(?: later)?", r"What time is \2 minutes after \1?"),
    (r"(?:what time (?:is it|will it be)|ASK the time) INT min(?:ute)?s? (?:after|later than|from) "
     r"(\d+:\d\d)", r"What time is \1 minutes after \2?"),
    (r"(?:an?|the) [a-z]+ (?:starts|begins|leaves|departs) at (\d+:\d\d) and "
     r"(?:the (?:journey|trip|ride) )?(?:lasts|takes|runs)"
     r"(?: for)? INT min(?:ute)?s?[.,;] (?:when|at what time|what time) does it "
     r"(?:end|finish|arrive|stop)",
     r"What time is \2 minutes after \1?"),
    (r"(\d+:\d\d) ?\+ ?INT min(?:ute)?s?", r"What time is \2 minutes after \1?"),
    (r"how far (?:does|will|can|did) (?:a|the|my) [a-z]+ (?:go|travel|drive|run|ride|cover) "
     r"in HOURS at SPEED", r"\2 × \1"),
    (r"how long (?:does|will|would) an? INT (?:km|kilomet(?:re|er)) "
     r"(?:journey|trip|ride|drive) take at INT km/h", r"\1 ÷ \2"),
    (r"how long (?:does|will|would) it take to (?:go|travel|drive|run|ride|cover) INT "
     r"(?:km|kilomet(?:re|er)s?) at (?:a speed of )?INT km/h", r"\1 ÷ \2"),
    (r"(?:a|the|my) [a-z]+ (?:goes|travels|drives|runs|rides|moves|(?:is|was) (?:moving|travel"
     r"l?ing|going|driving|running)) at SPEED(?: for HOURS[.,;] DISTANCE|[.,;] DISTANCE in HOURS)",
     r"\1 × \2\3"),
    (r"(?:a|the|my) (?:car|train|bus|bike|cyclist|plane|person|runner) (?:goes|travels|drives|runs"
     r"|rides|covers|went|travell?ed|drove) INT (?:km|kilomet(?:re|er)s?|miles) in INT (?:h|hours?"
     r"|hrs?)[.,;] ?(?:ASK (?:is )?(?:its|the|his|her) (?:average )?speed"
     r"(?: in (?:km/h|mph|miles per hour))?|how fast (?:is|was|does|did) (?:it|he|she) "
     r"(?:going|go|travell?ing|travel|driving|drive|running|run))",
     r"A car goes \1 km in \2 h. What is its speed in km/h?"),
    (r"(?:i|he|she|they|we|[a-z]+|(?:a|the|my) [a-z]+) (?:drove|ran|runs|travels?|travell?ed|cycled"
     r"|walked|flew|rode|drives|rides) NUM ?(?:km|kilomet(?:re|er)s?|miles|m\.?|met(?:re|er)s) in "
     r"NUM (?:h|hours?|hrs?|seconds|minutes)[.,;] ASK (?:is |was )?(?:the|its|my|his|her|their) "
     r"(?:average )?(?:speed|running rate|rate)", r"\1 ÷ \2"),
    (r"(?:ASK )?(?:the )?(?:elapsed time|time|time that passes) (?:from (\d+:\d\d) to (\d+:\d\d)"
     r"|between (\d+:\d\d) and (\d+:\d\d))", r"How many minutes from \1\3 to \2\4?"),
    (r"how many minutes (?:are (?:there )?)?between (\d+:\d\d) and (\d+:\d\d)",
     r"How many minutes from \1 to \2?"),
    (r"(?:the )?angles (?:of|in) a quadrilateral(?: are| measure|:) DEG, DEG, DEG(?: and|,|, and) "
     r"(?:([a-z])[.,;:]? (?:ASK )?\4|\?|_+)", r"360 - \1 - \2 - \3"),
    (r"(?:ASK )?(?:the )?interior angle sum of (an? [a-z]+)", r"sum of the interior angles of \1"),
    # Chances.
    (r"P\(([a-z ]+)\) ?= ?(0?\.\d+|\d+/\d+)[.,;] (?:ASK )?P\((?:no|not) \1\)", r"1 - \2"),
    (r"(?:the )?(?:probability|chance) (?:of ([a-z]+)|that it (?:will )?([a-z]+?)s?) is "
     r"(0?\.\d+|\d+/\d+)[.;] ASK (?:is )?the (?:probability|chance) "
     r"(?:of (?:no|not) \1|that it (?:does|will)(?: not|n't) (?:\1|\2))", r"1 - \3"),
    (r"(?:the |an? )?([a-z]+) (?:starts|begins|opens) at (\d+:\d\d) and (?:ends|finishes|closes"
     r"|is over) at (\d+:\d\d)[.;] how long (?:is|does|was) (?:it|the \1(?: day)?)(?: last| take)?",
     r"How many minutes from \2 to \3?"),
    # Shapes.
    (r"one angle of a linear pair (?:is|measures) DEG[.;,] ASK (?:is )?the OTHER(?: one| angle)?",
     r"An angle measures \1 degrees. How many degrees does its supplement measure?"),
    (r"(?:ASK )?(?:the )?radius of (?:a |the )?circle (?:with|whose|of) (?:a )?diameter"
     r"(?: of| is)? LEN", r"\1 ÷ 2"),
    (r"(?:ASK )?(?:the )?diameter of (?:a |the )?circle (?:with|whose|of) (?:a )?radius"
     r"(?: of| is)? LEN", r"2 × \1"),
    (r"angles? [a-z] and DEG (?:form|make|are on|lie on) a straight (?:line|angle)[.,;] "
     r"(?:ASK )?(?:angle )?[a-z]",
     r"An angle measures \1 degrees. How many degrees does its supplement measure?"),
    (r"(?:ASK )?(?:the )?(?:measure of the )?angle (?:that is )?complementary to "
     r"(?:an angle of )?DEG",
     r"An angle measures \1 degrees. How many degrees does its complement measure?"),
    (r"(?:ASK )?(?:the )?(?:measure of the )?angle (?:that is )?supplementary to "
     r"(?:an angle of )?DEG",
     r"An angle measures \1 degrees. How many degrees does its supplement measure?"),
    (r"(?:a|the) (?:train|bus|plane|coach|ferry|film|lesson) (?:leaves|departs|starts|begins)"
     r"(?: at)? (\d+:\d\d) and (?:arrives|ends|finishes)(?: at)? (\d+:\d\d)[.;] "
     r"how long (?:is|does) (?:the|it)(?: journey| trip| ride| last| take)?",
     r"How many minutes from \1 to \2?"),
    (r"(?:find x if )?(?:the )?angles (?:of|in) TRI (?:are|measure) x, DEG(?: and|,) DEG"
     r"(?:[.;,]? ASK (?:is )?x)?", _THIRD),
    (r"(?:the |two )?angles on a (?:straight )?line(?: are| measure|:) DEG and [a-z][.,;] "
     r"(?:ASK )?(?:is )?(?:the (?:size|value) of )?(?:angle )?[a-z]",
     r"An angle measures \1 degrees. How many degrees does its supplement measure?"),
    (r"(?:ASK )?(?:the )?supplement of an? DEG angle",
     r"An angle measures \1 degrees. How many degrees does its supplement measure?"),
    (r"(?:ASK )?(?:the )?complement of (?:an? (?:angle of )?)?DEG(?: angle)?",
     r"An angle measures \1 degrees. How many degrees does its complement measure?"),
    (r"RIGHT (?:has|with) (?:a |an )?hypotenuse(?: of)? LEN and (?:one |a )?(?:leg|side)"
     r"(?: of)? LEN[.,;] (?:ASK )?(?:is )?(?:the )?OTHER (?:leg|side)",
     r"The hypotenuse of a right triangle is \1 cm long, and one leg is \2 cm long. "
     r"How many centimetres long is the other leg?"),
    (r"an angle (?:measures|is|of) DEG[.,;] ASK (?:is )?(?:its|the) complement",
     r"An angle measures \1 degrees. How many degrees does its complement measure?"),
    (r"(?:ASK )?(?:the )?OTHER angle (?:of|in) TRI (?:with|if the other(?: two)?(?: angles)? are"
     r"|whose other angles are)(?: angles)?(?: of)? DEG and DEG", _THIRD),
    (r"(?:the )?angles (?:of|in) TRI are DEG, DEG(?:,| and|, and) ([a-z])[.,;:]? (?:ASK )?\3",
     _THIRD),
    (r"TRI (?:has|with) angles (?:of )?DEG and DEG[.,;:] ASK (?:is )?(?:the )?"
     r"(?:size of the )?OTHER(?: angle)?", _THIRD),
    (r"(?:two|2) angles (?:of|in) TRI (?:are|measure) DEG and DEG[.,;:] ASK (?:is )?"
     r"(?:the )?(?:size of the )?OTHER(?: one| angle)?", _THIRD),
)  # fmt: skip


ONE_PART = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
            "eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100}  # fmt: skip
"""Into how many parts a whole is cut, by the name of one part."""


def _compiled(words: str) -> re.Pattern[str]:
    while _PLACEHOLDER.search(words):
        words = _PLACEHOLDER.sub(lambda found: _PLACEHOLDERS[found[0]], words)
    return re.compile(words, re.IGNORECASE)


_PATTERNS = tuple((_compiled(words), put) for words, put in _ROWS)


def said_otherwise(question: str) -> Iterator[str]:
    """The questions of forms that say the same as this one, in the order of the rows."""
    for shape in (shape_question(question), length_from_size(question)):
        if shape is not None:
            yield shape
    for pattern, put in _PATTERNS:
        if (match := pattern.fullmatch(question)) is not None:
            yield match.expand(put)
